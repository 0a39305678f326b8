import { createHash } from 'node:crypto';
import { bucketOf } from '@sparechange/domain/bucket';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { withoutIndexes } from './tables.ts';

/** Round-ups waiting for each supporter: ten million for a million. */
export const waitingEach = 10;

/** The first waiting round-up; an earlier debit collected those before. */
const firstWaiting = 11;

/** Makes a function for ids that are as random as the product's and well formed. */
export const makeIdFunction = (server: Pool) => server`
  create function uuid_of(text) returns uuid language sql immutable as $$
    select overlay(overlay(md5($1) placing '4' from 13) placing '8' from 17)::uuid $$`;

export async function makeClubs(pool: Pool): Promise<void> {
  await pool`
  insert into clubs (id, slug, name)
  select uuid_of('club ' || n), 'club-' || n, 'Club ' || n from generate_series(0, 499) n`;
}

/** Returns the numbers of the supporters whose ids belong in a bucket. */
export const numbersIn = (bucket: number, buckets: number, supporters: number): number[] =>
  Array.from({ length: supporters }, (_, at) => at + 1).filter(
    (n) => bucketOf(createHash('md5').update(`supporter ${n}`).digest('hex'), buckets) === bucket,
  );

/**
 * Makes supporters of one bucket with accounts, mandates, pauses and savings, in the proportions of a product that runs well:
 * almost everybody can be debited, one in a hundred has paused, one has no consent, one has an account whose debit was returned.
 * Ids are as random as the product's, so nobody's rows lie beside each other by accident.
 */
export async function makeSupporters(pool: Pool, numbers: number[], tenantKeys: string[]): Promise<void> {
  await withoutIndexes(pool, 'supporters', async (tx) => {
    await tx`
      insert into supporters (supporter_id, uid, email, first_name, last_name, mobile, tenant_key, club_id, registered_at,
        bank_customer_id, consent_active, consent_expires_at, onboarded_on, rounds_from, round_up_step, weekly_limit_cents,
        savings_enabled, synced_at)
      select uuid_of('supporter ' || n), left(md5('uid ' || n), 28), 'supporter.' || n || '@example.com', 'Robin',
        'Banks' || translate((n % 5000)::text, '0123456789', 'abcdefghij'), '04' || lpad(n::text, 8, '0'), (${tenantKeys}::text[])[1 + n % ${tenantKeys.length}::int], uuid_of('club ' || n % 500),
        '2026-03-01T00:00:00Z', 'customer-' || n, n % 100 <> 1, '2027-03-01T00:00:00Z', '2026-03-01', '2026-03-01',
        (array[100, 100, 100, 200, 500])[1 + n % 5], (array[0, 0, 0, 0, 0, 0, 0, 750, 1000, 1250])[1 + n / 7 % 10],
        n % 5 = 0, '2026-11-20T20:00:00Z'
      from unnest(${numbers}::int[]) n`;
  });
  await withoutIndexes(pool, 'accounts', async (tx) => {
    await tx`
      insert into accounts (supporter_id, id, provider_account_id, name, kind, masked_number, bsb_encrypted,
        account_number_encrypted, can_fund, round_ups_on, is_funding, unusable_since)
      select uuid_of('supporter ' || n), uuid_of('account ' || n || ' ' || k), 'account-' || n || '-' || k, 'Everyday',
        'transaction', 'XXXX5678', sha256('bsb'), sha256('number'), true, true, k = 1,
        case when k = 1 and n % 100 = 2 then date '2026-11-18' end
      from unnest(${numbers}::int[]) n cross join lateral generate_series(1, 1 + n % 2) k`;
  });
  await withoutIndexes(pool, 'mandates', async (tx) => {
    await tx`
      insert into mandates (supporter_id, id, account_id, terms_version, payer_name, masked_account, tenant,
        ceiling_cents, agreed_at, ip, user_agent, mandate_ref, cancelled_at)
      select uuid_of('supporter ' || n), uuid_of('mandate ' || n || ' ' || k), uuid_of('account ' || n || ' 1'),
        '2026-11-21', 'Robin Banks', 'XXXX5678', 'default', 100000, '2026-03-01T00:00:00Z', '192.0.2.1',
        'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)', 'mandate-' || n || '-' || k,
        case when k = 2 then timestamptz '2026-03-02T00:00:00Z' end
      from unnest(${numbers}::int[]) n cross join lateral generate_series(1, case when n % 10 = 3 then 2 else 1 end) k`;
  });
  await withoutIndexes(pool, 'pauses', async (tx) => {
    await tx`
      insert into pauses (supporter_id, paused_at, paused_on, resumed_on, reason)
      select uuid_of('supporter ' || n), '2026-06-01T00:00:00Z', '2026-06-01',
        case when n % 100 <> 3 then date '2026-06-20' end, 'supporter'
      from unnest(${numbers}::int[]) n where n % 10 = 3`;
  });
  await withoutIndexes(pool, 'savings_accounts', async (tx) => {
    await tx`
      insert into savings_accounts (supporter_id, account_name, masked_number, bsb_encrypted, account_number_encrypted, linked_at)
      select uuid_of('supporter ' || n), 'Holiday', 'XXXX4321', sha256('bsb'), sha256('number'), '2026-03-01T00:00:00Z'
      from unnest(${numbers}::int[]) n where n % 5 = 0`;
  });
}

/** Makes an earlier, cleared debit of every supporter, in a table of its own; planning has to recognise it. */
export async function makeEarlierDebits(pool: Pool): Promise<void> {
  await pool`create table earlier_debits (like debits including defaults)`;
  await pool`
    insert into earlier_debits (supporter_id, id, run_date, kind, attempt, club_id, amount_cents, savings_cents, first_seq,
      last_seq, represented_cents, mandate_id, reference, state, provider_ref, planned_at, submitting_at, submitted_at,
      outcome_at)
    select supporter_id, uuid_of('earlier ' || supporter_id), '2026-11-20', 'round-up', 1, club_id, 480, 0, 1,
      ${firstWaiting - 1}::bigint, 0, md5('mandate')::uuid, 'RU' || upper(left(md5(supporter_id::text), 16)), 'cleared',
      'zepto-' || md5(supporter_id::text), '2026-11-19T19:00:00Z', '2026-11-19T19:01:00Z', '2026-11-19T19:01:00Z',
      '2026-11-24T19:00:00Z'
    from supporters order by supporter_id`;
}

/**
 * Makes ten round-ups of every supporter that wait for the next run. They lie in the table as syncing leaves them: five rounds
 * through all supporters in order, two purchases each time.
 */
export async function makeWaitingRoundUps(pool: Pool): Promise<void> {
  await withoutIndexes(pool, 'round_ups', async (tx) => {
    for (let round = 0; round < 5; round++) {
      const seq = firstWaiting + round * 2;
      await tx`
        insert into round_ups (supporter_id, seq, account_id, transaction_id, fingerprint, occurrence, posted_on,
          purchase_cents, description, step_cents, limit_cents, raw_cents, counted_cents, recorded_at)
        select supporter_id, seq, account_id, 'txn-' || mark, mark::uuid, 1, date '2026-11-16' + ${round}::int,
          cents, 'EFTPOS 16/11 MERCHANT ' || left(mark, 6) || ' SYDNEY', step, 0, raw, raw,
          timestamptz '2026-11-20T20:00:00Z' + ${round}::int * interval '12 hours'
        from (select supporter_id, id as account_id, round_up_step as step
          from supporters join accounts using (supporter_id) where is_funding order by supporter_id) supporter
        cross join lateral (select n as seq, md5(supporter_id::text || n) as mark from generate_series(${seq}::int, ${seq + 1}::int) n) purchase
        cross join lateral (select 100 + ('x' || left(mark, 4))::bit(16)::int as cents) spent
        cross join lateral (select (step - cents % step) % step as raw) spare`;
    }
  });
}
