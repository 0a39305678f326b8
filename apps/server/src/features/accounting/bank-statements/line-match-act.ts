import { accountName, HandAccount, matchStatementLine } from '@sparechange/contract/console';
import { formatCents, longDay } from '@sparechange/domain';
import { z } from 'zod';
import { type ApprovalDeps, NoLongerPossible } from '#features/core/approvals/approve.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { lineMatchName, matchByHand } from './match-by-hand.ts';
import { findLine } from './statement-line-repository.ts';

/** Moves an unmatched bank statement line to an account, unless something else has explained it since. */
export const lineMatch = defineAct({
  name: lineMatchName,
  arguments: z.object({ account: z.string(), lineId: z.string(), to: HandAccount, reason: z.string() }),
  askedBy: [matchStatementLine],
  isDecidedByFinance: true,
  carryOut: async (deps: ApprovalDeps, match, by, how) => {
    const result = await matchByHand({ ...deps, by }, match, how);
    if (how.recordEnd && result !== 'matched')
      throw new NoLongerPossible('The line is matched already, or its import was taken back; nothing was booked.');
    return result;
  },
  isForOne: async () => true,
  describe: async ({ db }, { account, lineId, to, reason }) => {
    const line = await findLine(db, account, lineId);
    return {
      Amount: line ? formatCents(line.cents) : 'not known',
      Line: line && `${longDay(line.bookedOn)}: ${line.description}`,
      'Bank account': account,
      'Booked to': accountName(to),
      Reason: reason,
    };
  },
});
