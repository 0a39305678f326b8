import * as contract from '@sparechange/contract/console';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { type Clock, today } from '#ports/clock.ts';
import { addExtraClosedDay, listRecentClosedDays, removeExtraClosedDay } from './extra-closed-days.ts';

/** Serves the extra days on which banks do not settle. */
export function closedDayRoutes(serve: ServeConsole, { db, clock }: { db: Pool; clock: Clock }): void {
  serve.person(contract.listClosedDays, async (_input, { roles }) => {
    const days = await listRecentClosedDays(db, clock);
    const rows = days.map(({ day, reason }) => ({
      id: day,
      reason: contract.seesFiguresAlone(roles) ? null : reason,
      isPast: day < today(clock),
    }));
    return { rows, next: null };
  });

  serve.person(contract.addClosedDay, async ({ day, reason }, caller) => {
    await addExtraClosedDay({ db, clock, by: consoleActor(caller) }, day, reason);
    return { nextDebitDay: upcomingDebitDay(clock.now()) };
  });

  serve.person(contract.removeClosedDay, async ({ day }, caller) => {
    if (!(await removeExtraClosedDay({ db, clock, by: consoleActor(caller) }, day)))
      throw new NotFound('The closed day');
    return {};
  });
}
