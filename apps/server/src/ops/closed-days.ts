import { day } from '@sparechange/contract/day';
import type { IsoDate } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import {
  addExtraClosedDay,
  daysListedBack,
  listRecentClosedDays,
  removeExtraClosedDay,
} from '#features/accounting/banking-calendar/extra-closed-days.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

function readDay(text: string): IsoDate {
  const read = day.safeParse(text);
  if (!read.success) throw new CommandProblem(`${text} is no day such as 2027-03-01.`);
  return read.data;
}

/** Adds `closed-days`: further days on which banks do not settle. */
export function closedDaysCommands(closedDays: OpsCommand): void {
  closedDays
    .command('add <day>')
    .description('declare a day such as 2027-03-01 closed: debits, payouts and clearing move as over a holiday')
    .requiredOption('--reason <text>', 'why, as shown in the list')
    .carryOut(async ({ db, clock }, [text = ''], { reason }) => {
      const day = readDay(text);
      if (!String(reason).trim()) throw new CommandProblem('--reason must say why.');
      const isNew = await addExtraClosedDay({ db, clock }, day, String(reason).trim());
      const next = upcomingDebitDay(clock.now());
      return {
        json: { day, isNew, nextDebitDate: next },
        text: `${day} ${isNew ? 'is' : 'was already'} closed. The next debits are on ${next}.`,
      };
    });

  closedDays
    .command('list')
    .description(`the extra closed days to come and of the last ${daysListedBack}`)
    .carryOut(async ({ db, clock }) => {
      const days = await listRecentClosedDays(db, clock);
      const lines = days.map(({ day, reason }) => `${day}  ${reason}`);
      return { json: { days }, text: lines.length > 0 ? lines.join('\n') : 'No extra closed days.' };
    });

  closedDays
    .command('remove <day>')
    .description('remove an extra closed day that is still to come')
    .carryOut(async ({ db, clock }, [text = '']) => {
      const day = readDay(text);
      const removed = await removeExtraClosedDay({ db, clock }, day);
      return { json: { day, removed }, text: `${day} ${removed ? 'is open again' : 'was not among the closed days'}.` };
    });
}
