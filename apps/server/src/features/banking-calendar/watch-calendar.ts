import { calendarEndsSoon, lastSettlementYear } from '@sparechange/domain/banking-calendar';
import { type AlarmDeps, raiseAlarm } from '#features/alarms/alarms.ts';
import { today } from '#ports/clock.ts';

/** Raises an alarm, once a month, while the list of days on which banks settle ends within a year. */
export async function watchCalendar(deps: Pick<AlarmDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const day = today(deps.clock);
  if (!calendarEndsSoon(day)) return;
  await raiseAlarm(deps, {
    name: 'calendar_ends',
    about: day.slice(0, 7),
    sentence: `The list of days on which banks settle ends with ${lastSettlementYear}; later days are computed. Continue packages/domain/src/settlement-holidays.ts from the RBA's list, and declare single days with: npm run -s ops -- closed-days add`,
  });
}
