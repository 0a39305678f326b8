import { sydneyDay, sydneyTime } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { findMailOutage } from '#features/outbox/mail-outages.ts';
import { countBounces, countSent, listMailStates } from '#features/outbox/outbox-repository.ts';
import { type Alarm, type AlarmDeps, raiseAlarm } from './alarms.ts';

const outageAlarmedAfterMs = 15 * 60_000;
const dayMs = 86_400_000;
/** More bounces than both, on a Sydney day, raise an alarm. */
const maxUsualBounces = 20;
const maxUsualBouncedShare = 0.01;

/** Raises an alarm for each day with many addresses that refused: that may be the mail server's fault. */
async function watchBounces(deps: AlarmDeps, now: number): Promise<void> {
  const today = sydneyDay(new Date(now));
  const since = sydneyTime(today, '00:00');
  const bounces = await countBounces(deps.db, since);
  if (bounces <= maxUsualBounces) return;
  const sent = await countSent(deps.db, since);
  if (bounces <= sent * maxUsualBouncedShare) return;
  await raiseAlarm(deps, {
    name: 'mails_bouncing',
    about: today,
    sentence: `${bounces} addresses refused their mails today, and ${counted(sent, 'mail')} were sent; those addresses get none for 30 days. Check whether the mail server is at fault (Mail in the console).`,
  });
}

/**
 * Raises an alarm for each outage of the mail server, each day with many bounces, each look that finds an undelivered mail to
 * a club, and each day with some to supporters or operators.
 */
export async function watchMails(deps: AlarmDeps): Promise<void> {
  const now = deps.clock.now().getTime();
  const outage = await findMailOutage(deps.db);
  if (outage && now - outage.since.getTime() > outageAlarmedAfterMs) {
    const since = outage.since.toISOString();
    await raiseAlarm(deps, {
      name: 'mail_server_unavailable',
      about: since,
      sentence: `The mail server has been unavailable since ${since}; mails wait for it. The last error: ${outage.failure}`,
    });
  }
  await watchBounces(deps, now);
  for (const { recipient, undelivered, lastGivenUpAt, failure } of await listMailStates(
    deps.db,
    new Date(now - dayMs),
  )) {
    if (!lastGivenUpAt) continue;
    const isMailed = recipient !== 'operator'; // an alarm about the alarms' own mails would repeat itself
    const alarm: Alarm = {
      name: 'mails_undelivered',
      about: `${recipient} ${recipient === 'club' ? lastGivenUpAt.toISOString() : sydneyDay(lastGivenUpAt)}`,
      sentence: `${counted(undelivered, 'mail')} (recipient: ${recipient}) could not be delivered and will not be retried automatically (Mail in the console); the last error: ${failure}`,
    };
    await raiseAlarm(deps, alarm, isMailed);
  }
}
