import { sydneyTime } from '@sparechange/domain';
import { noteResume, openPause, type Person } from './person.ts';
import type { World } from './world.ts';

const mailed = (world: World, { email }: Person, subject: string) =>
  world.mailsTo(email).filter((mail) => mail.subject.startsWith(subject));

/**
 * Pauses that ended by themselves, which people get to know by a mail: on the day they chose, not before, and at the
 * latest by the end of it.
 */
export async function learnEndedPauses(world: World, isDayOver: boolean): Promise<void> {
  const open = await world.admin<{ id: string }[]>`select supporter_id as id from pauses where resumed_on is null`;
  const paused = new Set(open.map(({ id }) => id));
  const day = world.clock.day();
  for (const person of world.people) {
    const pause = openPause(person);
    if (!pause?.endsOn) continue;
    const { endsOn } = pause;
    if (!paused.has(person.supporterId)) {
      if (day < endsOn) world.violation(`${person.uid}: a pause until ${endsOn} had ended on ${day}`);
      noteResume(person, sydneyTime(endsOn, '00:00'), endsOn);
      if (person.stage === 'ready' && person.hasConsent) person.resumptions += 1;
      world.count('pauses that ended by themselves');
    } else if (isDayOver && endsOn <= day) world.violation(`${person.uid}: a pause until ${endsOn} goes on`);
  }
}

const aDayMs = 86_400_000;

/** At the end: the mails that people were promised, and those they did not want. */
export async function checkMails(world: World): Promise<void> {
  for (const person of world.people) {
    const resumed = mailed(world, person, 'Your round-ups are on again').length;
    if (resumed < person.resumptions)
      world.violation(`${person.uid}: ${person.resumptions} pauses ended by themselves, ${resumed} mails say so`);
  }
  const [left] = await world.admin<{ count: number }[]>`
    select count(*) as count from mails where sent_at is null and given_up_at is null and due_at < ${world.clock.peek()}`;
  if (left?.count) world.violation(`${left.count} mails were not sent`);
}

/** One that was queued the evening before may still be on its way. */
export function checkUnwantedMails(world: World): void {
  for (const person of world.people) {
    const since = person.noDebitMailsSince;
    const last = mailed(world, person, 'Your debit tomorrow').at(-1);
    if (since && last && last.at.getTime() > since.getTime() + aDayMs)
      world.violation(`${person.uid}: mailed before a debit, though they want none since ${since.toISOString()}`);
  }
}
