import { readFile } from 'node:fs/promises';
import { addDays, type IsoDate, isoDate, sydneyTime } from '@sparechange/domain';
import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { importClubs } from '@sparechange/server/features/beneficiaries/clubs/import-clubs.ts';
import { tenantsFolder } from '@sparechange/server/runtime/make-parts.ts';
import { makeFieldEncryption } from '@sparechange/server/secrets/field-encryption.ts';
import { fakeCheckpointFile } from '@sparechange/server/testing/fake-checkpoint-file.ts';
import { makeSupporter, type SupporterActor } from './actors/supporter-actor.ts';
import type { SimulatedDatabase } from './database.ts';
import { openExternalSystems } from './external-systems.ts';
import { faultInjector } from './faults/fault-injector.ts';
import { type FaultKind, type Faults, faultKinds, noFaults } from './faults/faults.ts';
import { AccountNumbers } from './invariants/account-numbers.ts';
import { RepaymentOracle } from './invariants/repayment-oracle.ts';
import { ReportedBalances } from './invariants/reported-balances.ts';
import { RoundUpOracle } from './invariants/round-up-oracle.ts';
import { SubmissionOracle } from './invariants/submission-oracle.ts';
import { UnansweredOracle } from './invariants/unanswered-oracle.ts';
import { chanceOf } from './scheduler/chance.ts';
import { virtualClock } from './scheduler/virtual-clock.ts';
import { Worker } from './worker.ts';
import type { World } from './world.ts';

export interface SimulationOptions {
  supporters: number;
  /** Numbers of the supporters who take part; all by default. */
  only?: readonly number[];
  days: number;
  seed: number;
  faults: boolean;
  /** The faults that occur; all by default. */
  kinds?: readonly FaultKind[];
  database: SimulatedDatabase;
  /** Called as a day begins, counted from 0: tests change something that the checks have to find. */
  onMorning?: (number: number, admin: Pool) => Promise<void>;
  /** Called once a day. */
  onDay?: (day: IsoDate, report: SimulationReport) => void;
}

export interface SimulationReport {
  days: number;
  debits: number;
  violations: { day: IsoDate; what: string }[];
  /** Counts of events by name: how much of the product was reached. */
  counts: Map<string, number>;
  /** Digest of everything that has happened, once it has come to its end. */
  digest?: string;
}

/** One run and everything it needs. */
export interface Play {
  options: SimulationOptions;
  world: World;
  worker: Worker;
  oracle: RoundUpOracle;
  submissions: SubmissionOracle;
  unanswered: UnansweredOracle;
  repayments: RepaymentOracle;
  faults: Faults;
  report: SimulationReport;
  close(): Promise<void>;
}

/** The first day of every simulation: a Sunday before a week with a holiday, when daylight saving is about to begin. */
export const firstDay = isoDate('2026-09-27');

/** A few supporters belong to a campaign that ends, the rest to others. */
const tenantKeys = ['default', 'demo', 'aca', 'sparechange', 'bush-league'] as const;

/** Most join within four days; the others sooner rather than later, in the first two hundred days. */
const latest = { first: 4, ratio: 50 };

/** Each person comes from the seed and their number alone: without the others, or for fewer days, their life is the same. */
function makeSupporters(numbers: readonly number[], seed: number): SupporterActor[] {
  return numbers.map((number) => {
    const choices = chanceOf(seed, `life of ${number}`);
    const institution = choices.pick(['AU00000', 'AU00101', 'AU00202']);
    const tenant = choices.pick([...tenantKeys]);
    const isAtOnce = choices.chance(0.7);
    const joinsAfter = isAtOnce ? choices.whole(0, 3) : Math.floor(latest.first * latest.ratio ** choices.next());
    return makeSupporter(number, institution, tenant, addDays(firstDay, joinsAfter), choices);
  });
}

/** The numbers of the people who take part. */
const peopleOf = ({ supporters, only }: SimulationOptions): readonly number[] =>
  only ?? Array.from({ length: supporters }, (_, index) => index + 1);

/** Adds the users of the embedded identity service, whose sign-in is not simulated: the audit looks for them. */
async function addIdentityUsers(admin: SimulatedDatabase['admin'], supporters: SupporterActor[]): Promise<void> {
  await admin`
    insert into identity.users (uid, email, password_hash, valid_since)
    select uid, email, '-', 0
    from unnest(${supporters.map(({ uid }) => uid)}::text[], ${supporters.map(({ email }) => email)}::text[]) as person (uid, email)`;
}

export async function openPlay(options: SimulationOptions): Promise<Play> {
  const { database, seed } = options;
  const clock = virtualClock(sydneyTime(firstDay, '00:05'));
  const external = await openExternalSystems(clock);
  const hasFloat = chanceOf(seed, 'our account').chance(0.5);
  if (hasFloat) await external.control('POST', '/options', { isFloat: true });
  await importClubs(
    database.admin,
    makeFieldEncryption([Buffer.alloc(32, 7)]),
    await readFile(`${tenantsFolder}/clubs.csv`, 'utf8'),
    clock.now(),
  );
  // An email to a club takes a while to print: one club keeps its address, the advices of the others are kept here.
  await database.admin`update clubs set contact_email = null where slug <> 'demo-community-club'`;
  const supporters = makeSupporters(peopleOf(options), seed);
  await addIdentityUsers(database.admin, supporters);
  const report: SimulationReport = { days: 0, debits: 0, violations: [], counts: new Map() };
  const started: { worker?: Worker } = {};
  const running = (): Worker => {
    if (!started.worker) throw new Error('The product has not started.');
    return started.worker;
  };
  const world: World = {
    clock,
    external,
    admin: database.admin,
    everybody: database.everybody,
    supporters,
    accountNumbers: new AccountNumbers(external),
    forwarded: new Map(),
    mailsTo: (email) => running().mails.get(email) ?? [],
    balances: new ReportedBalances(clock),
    operators: chanceOf(seed, 'operators'),
    hasFloat,
    product: () => running().product,
    attempt: (work) => running().attempt('visit', work),
    tolerate: (error) => {
      running().tolerate('a visit', error);
      return undefined;
    },
    violation: (what) => report.violations.push({ day: clock.day(), what }),
    count: (what, by = 1) => report.counts.set(what, (report.counts.get(what) ?? 0) + by),
    counted: (what) => report.counts.get(what) ?? 0,
  };
  const faults = options.faults ? faultInjector(seed, options.kinds ?? faultKinds, world) : noFaults;
  const { buckets } = database.admin.scope;
  const pool = connect(database.url, { max: 6, name: 'simulated product', buckets, keepsUnused: true });
  const worker = await Worker.start(world, faults, {
    databaseUrl: database.url,
    engine: database.engine,
    pool,
    checkpointFile: fakeCheckpointFile(),
    chance: chanceOf(seed, 'retries'),
  });
  started.worker = worker;
  const { tenants, config } = worker.product.runtime;
  const oracle = new RoundUpOracle(config.statementName, (key) => tenants.byKey(key)?.endsOn as IsoDate | undefined);
  return {
    options,
    world,
    worker,
    oracle,
    submissions: new SubmissionOracle(),
    unanswered: new UnansweredOracle(),
    repayments: new RepaymentOracle(),
    faults,
    report,
    close: async () => {
      await worker.product.close();
      await pool.end({ timeout: 0 }).catch(() => {});
      await external.close();
    },
  };
}
