import { resumeTenant, runDebits, stopRun, suspendTenant } from '@sparechange/contract/console';
import { type Cents, formatCents, type IsoDate, noCents, shortDay } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import type { ReactNode } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Select } from '../../ui/filters.tsx';
import { tenantOptions } from '../tenants/tenant-options.ts';

/** An act on debit runs that somebody has chosen. */
export type RunAct =
  | { kind: 'again'; date: IsoDate }
  | { kind: 'confirmed' | 'forced' | 'stop'; date: IsoDate; because: string | null; cents: Cents | null }
  | { kind: 'suspend'; tenants: readonly { tenant: string; name: string }[] }
  | { kind: 'resume'; tenant: string; name: string };

const titles: Record<RunAct['kind'], string> = {
  again: 'Make the run now',
  confirmed: 'Confirm the unusual run',
  forced: 'Resume debiting',
  stop: 'Leave it stopped',
  suspend: 'Suspend a tenant',
  resume: 'Resume a tenant',
};

function consequenceOf(act: RunAct): string {
  switch (act.kind) {
    case 'again':
      return `The run of ${shortDay(act.date)} is made now. Nobody is debited twice.`;
    case 'confirmed':
      return `The run of ${shortDay(act.date)} is made now, although ${act.because ?? 'it is unusual'}. You confirm ${formatCents(act.cents ?? noCents)}: if it asks for over a tenth more by then, it stops again.`;
    case 'forced':
      return `Supporters are debited again, although ${act.because ?? 'debiting is stopped'}. The run of ${shortDay(act.date)} is made again now: it debits only supporters it has not debited yet. Later runs are made on their day.`;
    case 'stop':
      return 'Nobody is debited until somebody decides otherwise. Open requests to resume have to be made again. The reason is shown to all but viewers.';
    case 'suspend':
      return 'Stops debits for this tenant now. Those already at the bank finish; round-ups keep adding up. A tenant already suspended keeps its reasons and adds this one.';
    case 'resume':
      return `Supporters of ${act.name} are debited again with the next run, for all that has waited.`;
  }
}

async function send(act: RunAct, form: FormData) {
  const because = String(form.get('because'));
  if (act.kind === 'stop') return call(stopRun, { because });
  if (act.kind === 'suspend') return call(suspendTenant, { tenant: String(form.get('tenant')), because });
  if (act.kind === 'resume') return call(resumeTenant, { tenant: act.tenant });
  return call(runDebits, { date: act.date, how: act.kind, cents: act.kind === 'confirmed' ? act.cents : null });
}

/** Explains an act, carries it out, and says whether it waits for a second person. */
export const RunDialog = ({ act, onClose }: { act: RunAct; onClose: () => void }) => (
  <ActDialog
    title={titles[act.kind]}
    action={titles[act.kind]}
    isDangerous={act.kind === 'suspend'}
    act={(form) => send(act, form)}
    after={waitsInWords}
    afterTitle="Not done yet"
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>{consequenceOf(act)}</p>
        {act.kind === 'suspend' && (
          <Select
            label="Tenant"
            name="tenant"
            all="Please choose"
            options={tenantOptions(act.tenants.map(({ tenant: key, name }) => ({ key, name })))}
          />
        )}
        {(act.kind === 'stop' || act.kind === 'suspend') && (
          <TextField label="Reason" name="because" maxLength={200} error={problem('because')} />
        )}
      </>
    )}
  </ActDialog>
);

/** Says what the act still waits for. */
function waitsInWords(answer: object): ReactNode {
  const outcome = 'outcome' in answer ? answer.outcome : undefined;
  if (outcome === 'asked')
    return <p>Another person finds it on Today and has seven days to agree or refuse. Nothing happens until then.</p>;
  if (outcome === 'under_way')
    return <p>It takes a little longer and continues in the background. Today shows its progress.</p>;
  return undefined;
}
