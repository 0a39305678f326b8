import { listPayments, retrievePayment } from '@sparechange/contract/console';
import { type IsoDate, shortDay } from '@sparechange/domain';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf, sentenceOf } from '#api/call-problem.ts';
import { queryClient } from '#api/query-client.ts';

interface ActDialogProps {
  title: string;
  action: string;
  /** Carries it out; answers the day until which it waits for a second person. */
  onAct: (form: FormData) => Promise<{ waitsUntil?: IsoDate | null }>;
  asksWhy?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Says what an act on a payment does, perhaps asks why, and says where it waits for a second person or was refused. */
export function ActDialog({ title, action, onAct, asksWhy = true, onClose, children }: ActDialogProps) {
  const act = useMutation({
    mutationFn: onAct,
    onSuccess: async ({ waitsUntil }) => {
      void queryClient.invalidateQueries({ queryKey: [listPayments.name] });
      await queryClient.invalidateQueries({ queryKey: [retrievePayment.name] });
      if (!waitsUntil) onClose();
    },
  });
  if (act.data?.waitsUntil)
    return (
      <Modal title="A second person has to agree" onClose={onClose}>
        <p>
          Nothing has been done yet. Another owner, or somebody else of finance, agrees until{' '}
          {shortDay(act.data.waitsUntil)}; the request is on the page Today.
        </p>
        <ModalActions onCancel={onClose} cancel="Close" />
      </Modal>
    );
  const problem = sentenceOf(act.error);
  return (
    <Modal title={title} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(new FormData(event.currentTarget));
        }}
      >
        {children}
        {asksWhy && (
          <TextField label="Why" name="because" required maxLength={200} error={problemOf(act.error, 'because')} />
        )}
        {problem && <Notice>{problem}</Notice>}
        <ModalActions onCancel={onClose} action={action} isBusy={act.isPending} />
      </form>
    </Modal>
  );
}

/** Returns why a form was filled in. */
export const whyIn = (form: FormData): string => String(form.get('because'));
