import { sydneyTime } from '@sparechange/domain';
import { noteResume, openPause, type SupporterActor } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';

const mailed = (world: World, { email }: SupporterActor, subject: string) =>
  world.mailsTo(email).filter((mail) => mail.subject.startsWith(subject));

/**
 * Learns which pauses ended automatically and were announced by email: on the day they chose, not before, and at the
 * latest by the end of it.
 */
export async function learnEndedPauses(world: World, isDayOver: boolean): Promise<void> {
  const open = await world.everybody<{ id: string }[]>`select supporter_id as id from pauses where resumed_on is null`;
  const paused = new Set(open.map(({ id }) => id));
  const day = world.clock.day();
  for (const supporter of world.supporters) {
    const pause = openPause(supporter);
    if (!pause?.endsOn) continue;
    const { endsOn } = pause;
    if (!paused.has(supporter.supporterId)) {
      if (day < endsOn) world.violation(`${supporter.uid}: a pause until ${endsOn} had ended on ${day}`);
      noteResume(supporter, sydneyTime(endsOn, '00:00'), endsOn);
      if (supporter.stage === 'ready' && supporter.hasConsent) supporter.resumptions += 1;
      world.count('pauses that ended by themselves');
    } else if (isDayOver && endsOn <= day) world.violation(`${supporter.uid}: a pause until ${endsOn} has not ended`);
  }
}

const aDayMs = 86_400_000;

/** Checks at the end that every promised email was sent. */
export async function checkMails(world: World): Promise<void> {
  for (const supporter of world.supporters) {
    const resumed = mailed(world, supporter, 'Your round-ups are on again').length;
    if (resumed < supporter.resumptions)
      world.violation(`${supporter.uid}: ${supporter.resumptions} pauses ended by themselves, ${resumed} mails say so`);
  }
  const [left] = await world.everybody<{ count: number }[]>`
    select count(*) as count from mails where sent_at is null and given_up_at is null and due_at < ${world.clock.peek()}`;
  if (left?.count) world.violation(`${left.count} mails were not sent`);
}

/** One that was queued the evening before may still be on its way. */
export function checkUnwantedMails(world: World): void {
  for (const supporter of world.supporters) {
    const since = supporter.noDebitNoticeSince;
    const last = mailed(world, supporter, 'Your debit tomorrow').at(-1);
    if (since && last && last.at.getTime() > since.getTime() + aDayMs)
      world.violation(`${supporter.uid}: mailed before a debit, though they want none since ${since.toISOString()}`);
  }
}
