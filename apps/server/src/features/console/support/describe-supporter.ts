import type { SupporterDetails } from '@sparechange/contract/console';
import type { IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { findHold } from '#features/collections/debits/hold-supporter.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import type { SignIns } from '#features/supporters/identity/sessions.ts';
import { userRecord } from '#features/supporters/profiles/user-record.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

export interface SupportDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  /** Absent where another service keeps sign-ins. */
  signIns?: SignIns | undefined;
}

interface Row {
  uid: string;
  name: string;
  email: string;
  isEmailProven: boolean;
  bounce: { at: string; reason: string } | null;
  mobile: string;
  tenant: string;
  club: string;
  registeredAt: Date;
  onboardedOn: IsoDate | null;
  closedOn: IsoDate | null;
}

async function getRow(db: Db, supporterId: string): Promise<Row> {
  const [row] = await db<Row[]>`
    select uid, concat_ws(' ', first_name, last_name) as name, email, email_proven_at is not null as "isEmailProven", (
        select json_build_object('at', to_char(bounced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'reason', reason)
        from mail_bounces bounce where bounce.supporter_id = supporters.supporter_id and bounce.email = supporters.email) as bounce,
      mobile, tenant_key as tenant, clubs.name as club, registered_at as "registeredAt", onboarded_on as "onboardedOn",
      closed_on as "closedOn"
    from supporters join clubs on clubs.id = club_id where supporter_id = ${supporterId}`;
  if (!row) throw new NotFound('The supporter');
  return row;
}

/** Lists accounts by their last digits; nothing is decrypted. */
const listAccounts = (db: Db, supporterId: string) => db<SupporterDetails['accounts']>`
  select id, name, masked_number as "maskedNumber", is_funding as "isDebited", round_ups_on as "isTracked",
    is_listed as "isListed"
  from accounts where supporter_id = ${supporterId} order by is_funding desc, round_ups_on desc, name, id`;

/** Returns support's view of a supporter, account numbers masked. */
export async function describeSupporter(deps: SupportDeps, supporterId: string): Promise<SupporterDetails> {
  const { clock, tenants, signIns } = deps;
  const db = deps.db.of(supporterId);
  const { uid, ...row } = await getRow(db, supporterId);
  const [record, hold, accounts, pending] = await Promise.all([
    userRecord({ ...deps, db }, supporterId),
    findHold(db, supporterId),
    listAccounts(db, supporterId),
    getPendingPayments(db, supporterId),
  ]);
  return {
    ...row,
    id: supporterId,
    isSignInDisabled: row.closedOn || !signIns ? null : await signIns.isDisabled(uid),
    tenant: tenants.byKey(row.tenant)?.name ?? row.tenant,
    registeredAt: row.registeredAt.toISOString(),
    today: today(clock),
    record,
    hold: hold ? { since: hold.since.toISOString(), because: hold.because } : null,
    accounts: [...accounts],
    pending,
  };
}
