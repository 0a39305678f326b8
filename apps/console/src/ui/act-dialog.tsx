import type { ConsoleOperation } from '@sparechange/contract/console';
import { Modal, ModalActions, modalFoot } from '@sparechange/web/ui/modal.tsx';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { Failure } from './failure.tsx';
import { Form, type ProblemOf, useCallForm } from './form.tsx';

interface ActDialogProps<Result> {
  title: string;
  /** Words of the button. */
  action: string;
  /** It ends or loses something. */
  isDangerous?: boolean | undefined;
  act: (form: FormData) => Promise<Result>;
  /** Operations to refetch after the act; all unless named. */
  changes?: readonly ConsoleOperation[];
  /** Shown once the act is done; otherwise the dialog closes. */
  after?: (result: Result) => ReactNode;
  /** The title once the act is done. */
  afterTitle?: string;
  onClose: () => void;
  /** The explanation with its fields; receives the server's field problem. */
  children: (problem: ProblemOf) => ReactNode;
}

/** Explains an act, carries it out, and shows the server's refusal or the result. */
export function ActDialog<Result>(props: ActDialogProps<Result>) {
  const { title, action, isDangerous, act, changes, after, afterTitle = title, onClose, children } = props;
  const acting = useMutation({
    mutationFn: act,
    onSuccess: async (result) => {
      const hasRead = readAgain(changes);
      if (after?.(result)) return; // shown without waiting: a secret is shown only this once
      await hasRead;
      onClose();
    },
    // Somebody else was faster, or a part was done: the page behind the dialog is out of date.
    onError: (problem) => {
      if (sentenceOf(problem)) void readAgain(changes);
    },
  });
  const { error, data } = acting;
  const { problem, form } = useCallForm(error, acting.mutate);
  const done = data !== undefined && after?.(data);
  return (
    <Modal title={done ? afterTitle : title} onClose={onClose}>
      {done ? (
        <>
          {done}
          <ModalActions onCancel={onClose} cancel="Close" />
        </>
      ) : (
        // Its outcome, such as a secret, is shown nowhere else.
        <Form {...form} data-keeps-open={acting.isPending || undefined}>
          {children(problem)}
          <div className={modalFoot}>
            <Failure of={error} />
            <ModalActions onCancel={onClose} action={action} isDangerous={isDangerous} isBusy={acting.isPending} />
          </div>
        </Form>
      )}
    </Modal>
  );
}
