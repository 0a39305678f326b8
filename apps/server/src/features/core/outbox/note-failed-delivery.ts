import type { SignInMailKind } from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { hasSupporters, isOfOneBucket } from '#db/scope.ts';
import { keptAddress } from '#kept-address.ts';
import { concernsAddress, type FailedDelivery } from '#ports/mailer.ts';
import { addressOfOther } from './list-mails.ts';
import { mailIdOf } from './mail-id.ts';
import { type Recipient, recordBounce } from './outbox-repository.ts';

/** Days for which a report about a mail is believed. */
export const believedDays = 30;

/** `unknown`: no such mail was sent to that address in the last days. */
export type NotedDelivery = 'bounced' | 'given up' | 'noted already' | 'unknown';

/** Kinds that go to an address which is not yet, or no more, its supporter's. */
const mailedElsewhere: SignInMailKind[] = ['verify_and_change_email', 'recover_email'];

interface SentMail {
  id: number;
  recipient: Recipient;
  supporterId: string | null;
  key: string;
  address: string | null;
  isSent: boolean;
}

export interface ReportDeps {
  db: Pool;
  now: Date;
  /** The address that alarms go to. */
  operatorMail: string | undefined;
}

/**
 * Notes that a mail we sent came back, as a refusal while it was sent is noted: the mail is given up, and where the status is
 * about the address, its supporter gets no mail for a while. Anybody can write a report, so both the mail's id and its
 * address have to be right. A mail about a change of address went to one that is not, or no more, its supporter's and is kept
 * nowhere: its id alone decides, and no address is noted.
 */
export async function noteFailedDelivery(deps: ReportDeps, delivery: FailedDelivery): Promise<NotedDelivery> {
  const addresses = delivery.addresses.map(keptAddress);
  for (const db of controlAndBuckets(deps.db)) {
    const sent = (await listSent(db, deps, addresses)).find((mail) => mailIdOf(mail) === delivery.mailId);
    if (sent) return sent.isSent ? note(db, sent, delivery, deps.now) : 'noted already';
  }
  return 'unknown';
}

/** Lists mails to one of the addresses that were sent in the last days, or given up since. */
async function listSent(db: Pool, { now, operatorMail }: ReportDeps, addresses: string[]): Promise<SentMail[]> {
  const isRecent = db`coalesce(sent_at, given_up_at) > ${now}::timestamptz - make_interval(days => ${believedDays}) and attempts > 0`;
  const toSupporters = hasSupporters(db.scope)
    ? await db<SentMail[]>`
        select id, recipient, supporter_id as "supporterId", key, email as address, sent_at is not null as "isSent"
        from supporters join mails using (supporter_id) where email = any(${addresses}) and ${isRecent}`
    : [];
  const aboutChanges = hasSupporters(db.scope)
    ? await db<SentMail[]>`
        select id, recipient, supporter_id as "supporterId", key, null as address, sent_at is not null as "isSent"
        from mails where facts ->> 'kind' = any(${mailedElsewhere}) and ${isRecent}`
    : [];
  const ofSupporters = [...toSupporters, ...aboutChanges];
  if (isOfOneBucket(db.scope)) return ofSupporters;
  const toOthers = await db<SentMail[]>`
    select id, recipient, null as "supporterId", key, ${addressOfOther(db)} as address, sent_at is not null as "isSent"
    from mails where supporter_id is null and ${isRecent}`;
  const isTheirs = ({ recipient, address }: SentMail) =>
    addresses.includes(keptAddress(address ?? (recipient === 'operator' ? operatorMail : undefined) ?? ''));
  return [...ofSupporters, ...toOthers.filter(isTheirs)];
}

const note = (db: Pool, mail: SentMail, { status, reason }: FailedDelivery, now: Date): Promise<NotedDelivery> =>
  db.begin(async (tx) => {
    const noted = await tx`
      update mails set sent_at = null, given_up_at = ${now}, failure = ${reason} where id = ${mail.id} and sent_at is not null`;
    if (noted.count === 0) return 'noted already';
    if (!concernsAddress(status) || (mail.supporterId && !mail.address)) return 'given up';
    if (mail.supporterId && mail.address) await recordBounce(tx, mail.supporterId, mail.address, now, reason);
    return 'bounced';
  });
