import { resumeTenant, runDebits, stopRun, suspendTenant } from '@sparechange/contract/console';
import { type Cents, formatCents, type IsoDate, noCents, shortDay } from '@sparechange/domain';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf } from '#api/call-problem.ts';
import { queryClient } from '#api/query-client.ts';
import { Failure } from '../ui/failure.tsx';
import { Select } from '../ui/filters.tsx';

/** An act on debit runs that somebody has chosen. */
export type RunAct =
  | { kind: 'again'; date: IsoDate }
  | { kind: 'confirmed' | 'forced' | 'stop'; date: IsoDate; because: string | null; cents: Cents | null }
  | { kind: 'suspend'; tenants: readonly { tenant: string; name: string }[] }
  | { kind: 'resume'; tenant: string; name: string };

const titles: Record<RunAct['kind'], string> = {
  again: 'Make the run now',
  confirmed: 'Confirm the unusual run',
  forced: 'Make the run',
  stop: 'Leave it stopped',
  suspend: 'Suspend a tenant',
  resume: 'Resume a tenant',
};

function consequenceOf(act: RunAct): string {
  switch (act.kind) {
    case 'again':
      return `The run of ${shortDay(act.date)} is made now. Nobody is debited twice.`;
    case 'confirmed':
      return `The run of ${shortDay(act.date)} is made at once, although ${act.because ?? 'it is unusual'}. You confirm ${formatCents(act.cents ?? noCents)}: should it ask for over a tenth more by then, it stops again.`;
    case 'forced':
      return `The run of ${shortDay(act.date)} is made at once, although ${act.because ?? 'debiting is stopped'}.`;
    case 'stop':
      return 'Nobody is debited until the run is made after all. The reason is shown to all but viewers.';
    case 'suspend':
      return 'From now on nobody of this tenant is debited. What is with the bank completes; round-ups go on counting.';
    case 'resume':
      return `Supporters of ${act.name} are debited again with the next run, for all that has waited.`;
  }
}

/** Says what an act does, does it, and says where it waits for a second person. */
export function RunDialog({ act, onClose }: { act: RunAct; onClose: () => void }) {
  const [tenant, setTenant] = useState('');
  const [because, setBecause] = useState('');
  const send = useMutation({
    mutationFn: async () => {
      if (act.kind === 'stop') return call(stopRun, { because });
      if (act.kind === 'suspend') return call(suspendTenant, { tenant, because });
      if (act.kind === 'resume') return call(resumeTenant, { tenant: act.tenant });
      return call(runDebits, { date: act.date, how: act.kind, cents: act.kind === 'confirmed' ? act.cents : null });
    },
    onSuccess: (answer) => !waitsIn(answer) && onClose(),
    onSettled: () => queryClient.invalidateQueries(),
  });
  const waits = waitsIn(send.data);
  if (waits)
    return (
      <Modal title={waits === 'asked' ? 'Waits for a second person' : 'Under way'} onClose={onClose}>
        <p>
          {waits === 'asked'
            ? 'Nothing is done yet. Another person finds it on Today and agrees within seven days, or refuses.'
            : 'It takes longer than a moment and goes on by itself. Today shows how far it has come.'}
        </p>
        <ModalActions onCancel={onClose} cancel="Close" />
      </Modal>
    );
  const needsReason = act.kind === 'stop' || act.kind === 'suspend';
  return (
    <Modal title={titles[act.kind]} onClose={onClose}>
      <p>{consequenceOf(act)}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        {act.kind === 'suspend' && (
          <Select
            label="Tenant"
            all="Please choose"
            value={tenant}
            onChange={setTenant}
            options={act.tenants.map((each) => ({ value: each.tenant, label: each.name }))}
          />
        )}
        {needsReason && (
          <TextField
            label="Reason"
            value={because}
            maxLength={200}
            error={problemOf(send.error, 'because')}
            onChange={(event) => setBecause(event.target.value)}
          />
        )}
        <Failure of={send.error} />
        <ModalActions onCancel={onClose} action={titles[act.kind]} isBusy={send.isPending} />
      </form>
    </Modal>
  );
}

/** Returns what is left to wait for. */
function waitsIn(answer: object | undefined): 'asked' | 'under_way' | undefined {
  const outcome = answer && 'outcome' in answer ? answer.outcome : undefined;
  return outcome === 'asked' || outcome === 'under_way' ? outcome : undefined;
}
