import { sydneyDateTime, sydneyDay, sydneyTime } from '@sparechange/domain';
import { counted, countedInWords, maxCounted } from '@sparechange/domain/counted';
import { findMailOutage } from '#features/core/breakers/provider-breakers.ts';
import { countBounces, countSent, listMailStates } from '#features/core/outbox/outbox-repository.ts';
import { type Alarm, type AlarmDeps, isRaised, raiseAlarm } from './alarms.ts';

const outageAlarmedAfterMs = 15 * 60_000;
const dayMs = 86_400_000;
/** More bounces than this on a Sydney day raise an alarm, unless at least this number of emails was sent for each. */
const maxUsualBounces = 20;
const mailsForUsualBounce = 100;

/** Raises an alarm for each day on which many addresses refused emails: the mail server may be at fault. */
async function watchBounces(deps: AlarmDeps, now: number): Promise<void> {
  const today = sydneyDay(new Date(now));
  const since = sydneyTime(today, '00:00');
  const bounces = await countBounces(deps.db, since);
  const name = 'mails_bouncing';
  if (bounces <= maxUsualBounces || (await isRaised(deps.db, name, today))) return;
  const enough = bounces * mailsForUsualBounce;
  const sent = await countSent(deps.db, since, enough);
  if (sent >= enough) return; // the count stops there; below, every email sent is counted
  await raiseAlarm(deps, {
    name,
    about: today,
    sentence: `${bounces} addresses rejected their emails today, and ${counted(sent, 'email')} were sent; those addresses get none for 30 days. Check whether the mail server is at fault.`,
    see: { page: 'Mail' },
  });
}

const mailsInWords = (count: number) =>
  count < maxCounted ? counted(count, 'mail') : `${countedInWords(count)} mails`;

/**
 * Raises an alarm for each mail server outage, each day with many bounces, each check that finds an undelivered email
 * to a club, and each day with undelivered emails to supporters or operators.
 */
export async function watchMails(deps: AlarmDeps): Promise<void> {
  const now = deps.clock.now().getTime();
  const outage = await findMailOutage(deps.db);
  if (outage && now - outage.since.getTime() > outageAlarmedAfterMs) {
    await raiseAlarm(deps, {
      name: 'mail_server_unavailable',
      about: outage.since.toISOString(),
      sentence: `The mail server has been unavailable since ${sydneyDateTime(outage.since)} Sydney time; emails are waiting for it. The last error: ${outage.failure}`,
    });
  }
  await watchBounces(deps, now);
  for (const { recipient, undelivered, lastGivenUpAt, failure } of await listMailStates(
    deps.db,
    new Date(now - dayMs),
  )) {
    if (!lastGivenUpAt) continue;
    const isMailed = recipient !== 'operator'; // an alarm about the alarms' own emails would repeat itself
    const alarm: Alarm = {
      name: 'mails_undelivered',
      about: `${recipient} ${recipient === 'club' ? lastGivenUpAt.toISOString() : sydneyDay(lastGivenUpAt)}`,
      sentence: `${mailsInWords(undelivered)} (recipient: ${recipient}) could not be delivered and will not be retried automatically; the last error: ${failure}.`,
      see: { page: 'Mail', command: 'mails list' },
    };
    await raiseAlarm(deps, alarm, isMailed);
  }
}
