import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { Conflict } from '#errors.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { Serve } from '#http/serve.ts';
import { type NextDebitDeps, nextDebitOf } from './next-debit.ts';
import { saveBalanceFloor, setDebitNotices } from './settings.ts';
import { skipDebit } from './skip-debit.ts';

export function nextDebitRoutes(serve: Serve, deps: NextDebitDeps & { db: Pool }): void {
  const { db, clock } = deps;
  const answer = async (supporterId: string) => ({ nextDebit: await nextDebitOf(deps, supporterId) });

  serve.supporter(contract.retrieveNextDebit, (_input, { supporterId }) => answer(supporterId));

  serve.supporter(contract.setDebitSkipped, async ({ date, isSkipped }, { supporterId }) => {
    await getSupporter(db, supporterId);
    const wish = { supporterId, run: date, isSkipped, actor: 'supporter' } as const;
    if ((await skipDebit(db, clock, wish)) === 'too late') throw new Conflict('That debit can no longer be changed.');
    return answer(supporterId);
  });

  serve.supporter(contract.setBalanceFloor, async ({ balanceFloorCents }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await saveBalanceFloor(db, clock, supporterId, balanceFloorCents);
    return answer(supporterId);
  });

  serve.supporter(contract.setDebitNotices, async ({ debitNotices }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await setDebitNotices(db, clock, { supporterId, debitNotices, actor: 'supporter' });
    return answer(supporterId);
  });
}
