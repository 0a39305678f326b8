import { type Cents, formatCents } from '@sparechange/domain';
import { type Difference, reconcilePayments } from '#features/accounting/reconciliation/reconcile-payments.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

const amount = (value: Cents | null): string => (value === null ? '' : ` ${formatCents(value)}`);

function daysOption(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 363) return days;
  throw new CommandProblem('--days takes a whole number from 1 to 363.');
}

const line = ({ match, kind, reference, id, ours, cents: own, theirs, theirRef, theirCents }: Difference): string =>
  `  ${match}: ${kind} ${reference}, ours ${id ?? 'none'} ${ours ?? ''}${amount(own)}; theirs ${theirRef ?? 'none'} ${theirs ?? ''}${amount(theirCents)}`;

export function reconcileCommand(command: OpsCommand): void {
  command
    .option('--days <n>', 'only the last days, as happens every night')
    .carryOut(async (runtime, _words, { days }) => {
      const found = await reconcilePayments(runtime, days === undefined ? undefined : daysOption(String(days)));
      const { matched, missingHere, missingThere, behind, different, parked } = found;
      const text = [
        `${matched} matched, ${missingHere} missing here, ${missingThere} missing there, ${different} different, ${behind} not yet settled here, ${parked} parked`,
        ...found.differences.map(line),
      ].join('\n');
      return { json: found, text, failed: missingHere + missingThere + different > 0 };
    });
}
