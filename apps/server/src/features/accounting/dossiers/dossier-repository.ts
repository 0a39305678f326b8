import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** The request that a debit was made under, as its supporter agreed to it. */
export interface AgreedRequest {
  agreedAt: Date;
  /** Address of the browser on the internet. */
  ip: string;
  userAgent: string;
  payerName: string;
  /** Masked. */
  account: string;
  /** The most that a debit under it may be. */
  ceilingCents: Cents;
  tenant: string;
  termsVersion: string;
  /** SHA-256 of its wording; null where it is older than the wordings that are kept. */
  textHash: string | null;
  providerReference: string | null;
  cancelledAt: Date | null;
}

export async function findRequestOf(db: Db, supporterId: string, debitId: string): Promise<AgreedRequest | undefined> {
  const [request] = await db<AgreedRequest[]>`
    select agreed_at as "agreedAt", ip, user_agent as "userAgent", payer_name as "payerName", masked_account as account,
      ceiling_cents as "ceilingCents", tenant, terms_version as "termsVersion", text_hash as "textHash",
      mandate_ref as "providerReference", cancelled_at as "cancelledAt"
    from debits debit join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    where debit.supporter_id = ${supporterId} and debit.id = ${debitId}`;
  return request;
}

export interface Notice {
  /** Its kind, as `debit_returned`. */
  about: string;
  queuedAt: Date;
  sentAt: Date | null;
  givenUpAt: Date | null;
  failure: string | null;
}

/** Lists emails about a debit and its refunds, and those that announced its reference, earliest first. */
export const listNotices = (db: Db, supporterId: string, debitId: string, reference: string, limit: number) => db<
  Notice[]
>`
  with paid as (
    select ${debitId}::text as id
    union all
    select id::text from repayments where supporter_id = ${supporterId} and debit_id = ${debitId}
  )
  select facts ->> 'kind' as about, queued_at as "queuedAt", sent_at as "sentAt", given_up_at as "givenUpAt", failure
  from mails where supporter_id = ${supporterId} and (facts ->> 'reference' = ${reference}
    or facts -> 'furtherReferences' ? ${reference} or exists (select from paid where key like '% ' || paid.id))
  order by queued_at, key limit ${limit}`;

export interface ActOnDebit {
  at: Date;
  action: string;
  /** The kind of doer: `supporter`, `operator`, `timetable` or a provider. */
  actor: string;
  /** The name of the operator, as the audit log has it. */
  by: string | null;
  because: string | null;
}

/** Lists the audit log's entries that name a debit or its refund, earliest first. */
export const listActsOn = (db: Db, supporterId: string, debitId: string, limit: number) => db<ActOnDebit[]>`
  select at, action, actor, details ->> 'by' as by, coalesce(details ->> 'because', details ->> 'reason') as because
  from audit_log where supporter_id = ${supporterId}
    and ${debitId} in (details ->> 'payment', details ->> 'debit', details ->> 'repayment')
  order by id limit ${limit}`;
