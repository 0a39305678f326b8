import type { Db } from '#db/connect.ts';
import type { ConsentPurpose } from '#ports/bank-link.ts';

export interface ConsentLink {
  purpose: ConsentPurpose;
  tenantKey: string;
  isRenewal: boolean;
}

export interface TicketOf {
  supporterId: string;
  ticketHash: Uint8Array;
}

/** Saves a requested link and deletes expired ones. */
export async function insertConsentLink(
  db: Db,
  { supporterId, ticketHash }: TicketOf,
  { purpose, tenantKey, isRenewal }: ConsentLink,
  { askedAt, forgetBefore }: { askedAt: Date; forgetBefore: Date },
): Promise<void> {
  await db`delete from consent_links where supporter_id = ${supporterId} and asked_at < ${forgetBefore}`;
  await db`
    insert into consent_links (supporter_id, ticket_hash, purpose, tenant_key, is_renewal, asked_at)
    values (${supporterId}, ${ticketHash}, ${purpose}, ${tenantKey}, ${isRenewal}, ${askedAt})`;
}

/** Opens an unopened link; undefined for any other. */
export async function openLink(
  db: Db,
  { supporterId, ticketHash }: TicketOf,
  { at, askedAfter, nonceHash }: { at: Date; askedAfter: Date; nonceHash: Uint8Array },
): Promise<(ConsentLink & { bankCustomerId: string | null }) | undefined> {
  const [opened] = await db<(ConsentLink & { bankCustomerId: string | null })[]>`
    update consent_links link set opened_at = ${at}, nonce_hash = ${nonceHash} from supporters
    where link.supporter_id = ${supporterId} and ticket_hash = ${ticketHash} and opened_at is null
      and asked_at > ${askedAfter} and supporters.supporter_id = link.supporter_id and closed_on is null
    returning purpose, link.tenant_key as "tenantKey", is_renewal as "isRenewal", bank_customer_id as "bankCustomerId"`;
  return opened;
}

/** Makes a link usable again after unreachable bank pages. */
export async function reopenLink(db: Db, { supporterId, ticketHash }: TicketOf): Promise<void> {
  await db`
    update consent_links set opened_at = null, nonce_hash = null
    where supporter_id = ${supporterId} and ticket_hash = ${ticketHash}`;
}

export async function isOpenedLink(
  db: Db,
  supporterId: string,
  nonceHash: Uint8Array,
  openedAfter: Date,
): Promise<boolean> {
  const [link] = await db`
    select 1 from consent_links
    where supporter_id = ${supporterId} and nonce_hash = ${nonceHash} and opened_at > ${openedAfter}`;
  return link !== undefined;
}

/** Saves the confirmation of a connection job by the supporter's own session; the connection may be named later. */
export async function saveConfirmedJob(
  db: Db,
  supporterId: string,
  { jobId, connectionId, at }: { jobId: string; connectionId: string | undefined; at: Date },
): Promise<void> {
  await db`
    insert into confirmed_connections as known (supporter_id, job_id, connection_id, confirmed_at)
    values (${supporterId}, ${jobId}, ${connectionId ?? null}, ${at})
    on conflict (supporter_id, job_id) do update set connection_id = coalesce(excluded.connection_id, known.connection_id)`;
}

export interface ConfirmedConnection {
  jobId: string;
  connectionId: string | null;
}

export function listConfirmedConnections(db: Db, supporterId: string): Promise<ConfirmedConnection[]> {
  return db<ConfirmedConnection[]>`
    select job_id as "jobId", connection_id as "connectionId" from confirmed_connections
    where supporter_id = ${supporterId} order by confirmed_at, job_id`;
}
