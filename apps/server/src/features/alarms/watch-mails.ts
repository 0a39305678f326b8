import { sydneyDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { findMailOutage } from '#features/outbox/mail-outages.ts';
import { listMailStates } from '#features/outbox/outbox-repository.ts';
import { type AlarmDeps, raiseAlarm } from './alarms.ts';

const outageAlarmedAfterMs = 15 * 60_000;
const dayMs = 86_400_000;

/** Raises one alarm per outage of the mail server, and one per recipient and day with undelivered mails. */
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
  for (const { recipient, undelivered, lastGivenUpAt, failure } of await listMailStates(
    deps.db,
    new Date(now - dayMs),
  )) {
    if (!lastGivenUpAt) continue;
    await raiseAlarm(deps, {
      name: 'mails_undelivered',
      about: `${recipient} ${sydneyDay(lastGivenUpAt)}`,
      sentence: `${counted(undelivered, 'mail')} (recipient: ${recipient}) could not be delivered and will not be tried again; the last error: ${failure}`,
    });
  }
}
