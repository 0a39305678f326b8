import type { SignInMailKind } from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { hasSupporters, isOfOneBucket } from '#db/scope.ts';
import { keptAddress } from '#kept-address.ts';
import { concernsAddress, type FailedDelivery } from '#ports/mailer.ts';
import { addressOfOther } from './list-mails.ts';
import { mailIdOf } from './mail-id.ts';
import { type Recipient, recordBounce } from './outbox-repository.ts';

/** Days during which a report about an email is accepted. */
export const believedDays = 30;

/** `unknown`: no such email was sent to that address within the accepted days. */
export type NotedDelivery = 'bounced' | 'given up' | 'noted already' | 'unknown';

/** Kinds sent to an address that is not yet, or no longer, the supporter's. */
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
 * Records that an email we sent bounced, like a refusal while sending: the email is given up and, if the status
 * concerns the address, its supporter gets no email for a while. Anybody can write a report, so both the email's id and
 * its address must match. The address of an email about a change of address is stored nowhere, so the id alone decides
 * and no address is recorded.
 */
export async function noteFailedDelivery(deps: ReportDeps, delivery: FailedDelivery): Promise<NotedDelivery> {
  const addresses = delivery.addresses.map(keptAddress);
  for (const db of controlAndBuckets(deps.db)) {
    const sent = (await listSent(db, deps, addresses)).find((mail) => mailIdOf(mail) === delivery.mailId);
    if (sent) return sent.isSent ? note(db, sent, delivery, deps.now) : 'noted already';
  }
  return 'unknown';
}

/** Lists emails to one of the addresses that were sent, or given up, within the accepted days. */
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
