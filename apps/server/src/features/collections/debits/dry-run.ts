import { add, type Cents, type IsoDate, noCents, type SkipReason, total } from '@sparechange/domain';
import { sumOfCounts } from '@sparechange/domain/counts';
import { type RunTotal, sumOfRuns } from '@sparechange/domain/run-anomaly';
import { type Difference, debitsRemembered, differencesOf, usualOf } from '@sparechange/domain/unusual-debit';
import type { Db, Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { runningCampaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { debitCandidates } from './debit-candidates.ts';
import { campaignHasEnded } from './drop-after-campaign-end.ts';
import { countBucket, type RunToPlan } from './plan-bucket.ts';
import { anomaliesOfRun } from './plan-debits.ts';
import { listHeldRuns, listUnfinished } from './release-runs.ts';
import { listPastRuns, type PastRun } from './run-anomalies.ts';
import { findSuspension, type Suspension } from './suspended-runs.ts';
import { listSuspendedTenants, type SuspendedTenant } from './suspended-tenants.ts';

export interface PreviewLine {
  email: string;
  tenant: string;
  runDate: IsoDate;
  maskedAccount: string;
  cents: Cents;
  /** Median of their last debits; null if too few. */
  usualCents: Cents | null;
  differences: Difference[];
}

export interface RunPreview {
  date: IsoDate;
  /** Debits to be submitted, including those deferred by earlier plans. */
  debits: number;
  totalCents: Cents;
  /**
   * Total of the run, including debits already submitted and those left by earlier runs: compared with past runs, and
   * confirmed.
   */
  askedCents: Cents;
  skipped: Partial<Record<SkipReason, number>>;
  /** Reasons why the run needs confirmation; empty if usual. */
  anomalies: string[];
  pastRuns: PastRun[];
  differences: Partial<Record<Difference, number>>;
  /** The largest debits, up to the requested number. */
  lines: PreviewLine[];
  /** Debited amounts by tenant, largest first. */
  tenants: (RunTotal & { tenant: string })[];
  suspension: Suspension | null;
  suspendedTenants: SuspendedTenant[];
}

/** Returns that day's run as it would be planned now. It writes nothing and does not block planners. */
export async function previewRun(
  pool: Pool,
  clock: Clock,
  tenants: Tenants,
  date: IsoDate,
  maxLines: number,
): Promise<RunPreview> {
  const run = { date, now: clock.now(), running: await runningCampaigns(pool, tenants, date) };
  const pastRuns = await listPastRuns(pool, date);
  const unfinished = (await listUnfinished(pool, date)).flatMap(({ parts }) => parts);
  const heldRuns = await listHeldRuns(pool, date);
  const buckets = await inEachBucket(pool, (bucket) => previewBucket(bucket, run, heldRuns, maxLines));
  const asked = [...unfinished, ...buckets.flatMap(({ part }) => part)];
  return {
    date,
    debits: buckets.reduce((sum, { debits }) => sum + debits, 0),
    totalCents: total(buckets.map(({ totalCents }) => totalCents)),
    skipped: sumOfCounts(buckets.flatMap(({ skipped }) => skipped)),
    askedCents: sumOfRuns(asked).cents,
    anomalies: anomaliesOfRun(asked, pastRuns),
    pastRuns,
    differences: sumOfCounts(buckets.flatMap(({ differences }) => [...differences])),
    lines: buckets
      .flatMap(({ lines }) => lines)
      .sort((one, other) => other.cents - one.cents)
      .slice(0, maxLines),
    tenants: [
      ...Map.groupBy(
        buckets.flatMap((bucket) => [...bucket.tenants]),
        ([tenant]) => tenant,
      ),
    ]
      .map(([tenant, parts]) => ({ tenant, ...sumOfRuns(parts.map(([, sum]) => sum)) }))
      .sort((one, other) => other.cents - one.cents),
    suspension: (await findSuspension(pool)) ?? null,
    suspendedTenants: await listSuspendedTenants(pool),
  };
}

const previewBucket = (bucket: Pool, run: RunToPlan, heldRuns: IsoDate[], maxLines: number) =>
  bucket.begin(
    async (tx) => ({ ...(await countBucket(tx, run)), ...(await compareWithUsual(tx, run, heldRuns, maxLines)) }),
    'isolation level repeatable read read only',
  );

type Row = Omit<PreviewLine, 'usualCents' | 'differences'> & {
  accountId: string;
  earlier: { amount: Cents; accountId: string }[];
};

/**
 * Compares each planned or prospective debit with its supporter's last ones, some at a time, since a run may have a
 * million.
 */
async function compareWithUsual(tx: Db, { date, running }: RunToPlan, heldRuns: IsoDate[], maxLines: number) {
  const found = {
    debits: 0,
    totalCents: noCents,
    differences: new Map<Difference, number>(),
    lines: [] as PreviewLine[],
    tenants: new Map<string, RunTotal>(),
  };
  const planned = tx<Row[]>`
    with ${debitCandidates(tx, date, running)}, debit as (
      select supporter_id, run_date, mandate_id, amount_cents as cents from debits
      where state = 'planned' and kind = 'round-up' and run_date <> all(${heldRuns}::date[])
      union all
      select supporter_id, ${date}::date, mandate_id, cents from candidates where reason is null
    )
    select supporter.email, supporter.tenant_key as tenant, debit.run_date as "runDate", mandate.masked_account as "maskedAccount",
      mandate.account_id as "accountId", debit.cents, earlier.debits as earlier
    from debit join supporters supporter using (supporter_id)
    join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('amount', amount_cents, 'accountId', account_id) order by nth), '[]') as debits
      from (
        select past.amount_cents, used.account_id, row_number() over (order by past.run_date desc, past.attempt desc) as nth
        from debits past
        join mandates used on used.supporter_id = past.supporter_id and used.id = past.mandate_id
        where past.supporter_id = debit.supporter_id and past.kind = 'round-up'
          and past.state not in ('planned', 'refused', 'deferred')
        order by past.run_date desc, past.attempt desc limit ${debitsRemembered}
      ) last
    ) earlier
    where supporter.tenant_key <> all(${running.suspendedTenants}) and not ${campaignHasEnded(tx, running)}
    order by debit.cents desc, debit.supporter_id`;
  for await (const rows of planned.cursor(1_000)) {
    for (const { accountId, earlier, ...line } of rows) {
      const differences = differencesOf({ amount: line.cents, accountId, earlier });
      found.debits += 1;
      found.totalCents = add(found.totalCents, line.cents);
      const before = found.tenants.get(line.tenant) ?? { debits: 0, cents: noCents };
      found.tenants.set(line.tenant, { debits: before.debits + 1, cents: add(before.cents, line.cents) });
      for (const difference of differences)
        found.differences.set(difference, (found.differences.get(difference) ?? 0) + 1);
      if (found.lines.length < maxLines) found.lines.push({ ...line, usualCents: usualOf(earlier), differences });
    }
  }
  return found;
}
