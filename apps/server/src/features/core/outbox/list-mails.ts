import type { MailStatus, SignInMailKind } from '@sparechange/contract/console';
import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { hasSupporters } from '#db/scope.ts';
import { addressBounced, isBounced, type Recipient } from './outbox-repository.ts';

export interface ListedMail {
  /** Unique over all outboxes, as of a GivenUpMail. */
  id: string;
  /** Outbox: control's is 0. */
  place: number;
  recipient: Recipient;
  supporterId: string | null;
  address: string | null;
  /** Kind of its facts. */
  about: string;
  status: MailStatus;
  queuedAt: Date;
  /** Time when it was sent or given up. */
  endedAt: Date | null;
  attempts: number;
  failure: string | null;
}

export interface MailFilter {
  /** Cursor of the last email on the previous page. */
  after?: string | undefined;
  limit: number;
  status?: MailStatus | undefined;
  about?: string | undefined;
  address?: string | undefined;
  /** Sydney days. */
  from?: string | undefined;
  to?: string | undefined;
  supporterId?: string | undefined;
  /** First day of the list if neither a day nor a supporter is given. */
  since: Date;
}

/** Returns the cursor of the next page. */
export const cursorOf = ({ queuedAt, place, id }: ListedMail): string =>
  `${queuedAt.getTime()}.${place}.${id.split('.').at(-1)}`;

/** Returns an outbox's number, which stays the same if other outboxes are left out. */
const placeOf = ({ scope: { buckets, bucket } }: Db): number => (buckets === 1 ? 0 : (bucket ?? -1) + 1);

/** Lists emails of all outboxes, newest first. */
export async function listMails(pool: Pool, filter: MailFilter): Promise<ListedMail[]> {
  const lists = controlAndBuckets(pool).flatMap((db) => [
    ...(placeOf(db) === 0 ? [listToOthers(db, filter)] : []),
    ...(hasSupporters(db.scope) ? [listToSupporters(db, placeOf(db), filter)] : []),
  ]);
  return (await Promise.all(lists)).flat().sort(inOrder).slice(0, filter.limit);
}

const numberIn = ({ id }: ListedMail): number => Number(id.split('.').at(-1));
const inOrder = (one: ListedMail, other: ListedMail): number =>
  Number(other.queuedAt) - Number(one.queuedAt) || one.place - other.place || numberIn(other) - numberIn(one);

/** Kinds of emails to the supporter's previous or future address. */
const toOtherAddresses: SignInMailKind[] = ['verify_and_change_email', 'recover_email'];

function listToSupporters(db: Db, place: number, filter: MailFilter) {
  const { supporterId, address } = filter;
  return select(db, place, filter, {
    address: db`case when facts ->> 'kind' <> all(${toOtherAddresses}) then (
      select email from supporters where supporters.supporter_id = mails.supporter_id) end`,
    which: db`supporter_id is not null ${supporterId ? db`and supporter_id = ${supporterId}` : db``}
      ${address ? db`and supporter_id = any(array(select supporter_id from supporters where email = ${address}))` : db``}`,
  });
}

/** Lists emails to contacts of clubs and to operators. */
function listToOthers(db: Db, filter: MailFilter) {
  if (filter.supporterId) return [];
  const mailedTo = addressOfOther(db);
  const isTheirs = filter.address ? db`and ${mailedTo} = ${filter.address}` : db``;
  return select(db, 0, filter, { address: mailedTo, which: db`supporter_id is null ${isTheirs}` });
}

/** Expression for the address of an email to a club or an operator; null if it comes from the settings. */
export const addressOfOther = (db: Db) => db`
    case facts ->> 'kind'
      when 'remittance_advice' then (
        select case when coalesce(sent_at, given_up_at) < contact_changed_at then email else contact_email end
        from remittance_advices join clubs on clubs.id = club_id
        where remittance_id = coalesce(mails.facts ->> 'remittanceId', mails.facts -> 'remittanceIds' ->> -1)::uuid)
      when 'bank_details' then (select contact_email from bank_detail_changes where id = (facts ->> 'changeId')::uuid)
      when 'club_contact' then (select former_contact_email from clubs where id = (facts ->> 'clubId')::uuid)
      when 'club_request' then (select contact_email from club_requests where id = (facts ->> 'requestId')::uuid)
      when 'operator_link' then (select operators.email from operators where id = coalesce((facts ->> 'operatorId')::uuid,
        (select operator_id from operator_links link where link.id = (facts ->> 'linkId')::uuid))) end`;

type Fragment = ReturnType<typeof statusOf>;

interface Recipients {
  address: Fragment;
  which: Fragment;
}

function select(db: Db, place: number, filter: MailFilter, { address, which }: Recipients) {
  const { status, about, from, to, supporterId, since, limit, after } = filter;
  const begin = from ? db`${from}::date::timestamp at time zone 'Australia/Sydney'` : db`${since}`;
  return db<ListedMail[]>`
    select ${place === 0 ? '' : `${place}.`}::text || id as id, ${place}::int as place, recipient,
      supporter_id as "supporterId", ${address} as address, facts ->> 'kind' as about, ${statusOf(db)} as status,
      queued_at as "queuedAt", coalesce(sent_at, given_up_at) as "endedAt", attempts, failure
    from mails where ${which}
      ${from || !supporterId ? db`and queued_at >= ${begin}` : db``}
      ${to ? db`and queued_at < (${to}::date + 1)::timestamp at time zone 'Australia/Sydney'` : db``}
      ${about ? db`and facts ->> 'kind' = ${about}` : db``}
      ${status ? db`and ${endOf(db, status)} and ${statusOf(db)} = ${status}` : db``}
      ${after ? db`and ${isAfter(db, place, after)}` : db``}
    order by queued_at desc, mails.id desc limit ${limit}`;
}

/** Condition that an email in one outbox comes after the cursor in the order of all. */
function isAfter(db: Db, place: number, cursor: string) {
  const [at, ofPlace, id] = cursor.split('.').map(Number);
  const instant = new Date(at ?? 0);
  if (place === ofPlace) return db`(queued_at, mails.id) < (${instant}, ${id ?? 0})`;
  return place > (ofPlace ?? 0) ? db`queued_at <= ${instant}` : db`queued_at < ${instant}`;
}

const statusOf = (db: Db) => db`
  case when sent_at is not null then 'sent' when given_up_at is null then 'waiting'
    when failure = ${addressBounced} or ${isBounced(db, db`bounced_at >= given_up_at`)} then 'bounced'
    when attempts = 0 then 'outdated' else 'given_up' end`;

/** Narrows a status to conditions that an index covers. */
function endOf(db: Db, status: MailStatus) {
  if (status === 'sent') return db`sent_at is not null`;
  return status === 'waiting' ? db`sent_at is null and given_up_at is null` : db`given_up_at is not null`;
}
