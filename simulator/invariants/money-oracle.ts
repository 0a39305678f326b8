import { type Cents, isoDate } from '@sparechange/domain';
import type { World } from '../world.ts';

interface SandboxPayment {
  ref: string;
  amount: Cents;
  email: string;
  metadata: { order_id?: string };
  state: string;
  clearedAt: string | null;
}

interface OurPayment {
  id: string;
  email: string;
  runDate: string;
  kind: string;
  amount: Cents;
  state: string;
  providerRef: string | null;
}

const failed = ['returned', 'rejected', 'voided'];

/** Returns the state our row must have for the state of the money at the provider. */
function finalState({ state, clearedAt }: SandboxPayment): string {
  if (state === 'cleared') return 'cleared';
  if (failed.includes(state)) return clearedAt === null ? 'returned' : 'reversed';
  return 'submitted';
}

/** States that may still be behind the provider's, because its notification is on the way. */
const behind: Record<string, string[]> = {
  submitted: ['submitting', 'planned'],
  cleared: ['submitted', 'submitting'],
  returned: ['submitted', 'submitting'],
  reversed: ['cleared', 'submitted', 'submitting', 'returned'],
};

/**
 * Checks the provider's payments against our rows: each is one of ours for the same amount, none was taken twice,
 * nobody was debited twice for a run, and the outcome is ours. With `isSettled` nothing may be on its way.
 */
export async function checkMoney(world: World, isSettled: boolean): Promise<void> {
  const debits = await world.everybody<OurPayment[]>`
    select debits.id, email, run_date as "runDate", kind::text, amount_cents as amount,
      state::text, provider_ref as "providerRef" from debits join supporters using (supporter_id)`;
  const deposits = await world.everybody<OurPayment[]>`
    select deposits.id, email, month as "runDate", 'deposit' as kind, amount_cents as amount,
      state::text, provider_ref as "providerRef" from deposits join supporters using (supporter_id)`;
  const remittances = await world.everybody<OurPayment[]>`
    select id, 'club ' || club_id as email, run_date as "runDate", 'remittance' as kind, amount_cents as amount,
      state::text, provider_ref as "providerRef" from remittances`;
  const repayments = await world.everybody<OurPayment[]>`
    select repayments.id, email, planned_at::date as "runDate", 'repayment' as kind,
      amount_cents as amount, state::text, provider_ref as "providerRef" from repayments join supporters using (supporter_id)`;
  const taken = await world.external.control<SandboxPayment[]>('GET', '/payments');
  const paid = await world.external.control<SandboxPayment[]>('GET', '/payouts');
  compare(world, 'debit', debits, taken, isSettled);
  compare(world, 'payout', [...deposits, ...remittances, ...repayments], paid, isSettled);
  checkOnePerRun(world, debits, taken);
  if (isSettled) await checkCash(world, taken);
}

function compare(world: World, what: string, ours: OurPayment[], theirs: SandboxPayment[], isSettled: boolean): void {
  const byId = new Map(ours.map((row) => [row.id, row]));
  const seen = new Set<string>();
  for (const payment of theirs) {
    const id = payment.metadata.order_id ?? '';
    const row = byId.get(id);
    if (!row) {
      world.violation(`the provider made ${what} ${payment.ref} of ${payment.amount}, which is none of ours`);
      continue;
    }
    if (seen.has(id)) world.violation(`${what} ${id} of ${row.email} was made twice at the provider`);
    seen.add(id);
    if (row.amount !== payment.amount) {
      world.violation(`${what} ${id} is ${row.amount} here and ${payment.amount} at the provider`);
    }
    if (row.providerRef !== null && row.providerRef !== payment.ref) {
      world.violation(`${what} ${id} is ${row.providerRef} here and ${payment.ref} at the provider`);
    }
    const expected = finalState(payment);
    const isBehind = !isSettled && behind[expected]?.includes(row.state);
    if (row.state !== expected && !isBehind) {
      world.violation(`${what} ${id} of ${row.email} is ${row.state} here, at the provider ${payment.state}`);
    }
  }
  for (const row of ours) {
    if (seen.has(row.id) || ['planned', 'submitting', 'refused', 'deferred'].includes(row.state)) continue;
    world.violation(`${what} ${row.id} of ${row.email} is ${row.state} here, and the provider never had it`);
  }
  world.count(`${what}s compared`, theirs.length);
}

/** At the provider nobody was asked twice in effect for the round-ups of one run. */
function checkOnePerRun(world: World, ours: OurPayment[], theirs: SandboxPayment[]): void {
  const byId = new Map(ours.map((row) => [row.id, row]));
  const runs = new Set<string>();
  for (const { metadata } of theirs) {
    const row = byId.get(metadata.order_id ?? '');
    if (row?.kind !== 'round-up') continue;
    if (world.supporters.some(({ email, skips }) => email === row.email && skips.has(isoDate(String(row.runDate))))) {
      world.violation(`${row.email} was debited for the run of ${row.runDate}, which they skip`);
    }
    const run = `${row.email} ${row.runDate}`;
    if (runs.has(run)) world.violation(`${row.email} was debited twice for the run of ${row.runDate}`);
    runs.add(run);
  }
}

/** Checks that the ledger's cash is what the provider has cleared in all; neither takes off payouts. */
async function checkCash(world: World, taken: SandboxPayment[]): Promise<void> {
  const there = taken.filter(({ state }) => state === 'cleared').reduce((sum, { amount }) => sum + amount, 0);
  const [row] = await world.everybody<{ cash: number; inFlight: number }[]>`
    select coalesce(sum(cents) filter (where account = 'cash'), 0)::bigint as cash,
      coalesce(sum(cents) filter (where account = 'in_flight'), 0)::bigint as "inFlight" from ledger_balances`;
  if (row?.cash !== there)
    world.violation(`the provider has cleared ${there} in all, the ledger's cash says ${row?.cash}`);
  const flying = taken
    .filter((payment) => finalState(payment) === 'submitted')
    .reduce((sum, each) => sum + each.amount, 0);
  if (row?.inFlight !== flying) {
    world.violation(`${flying} is under way at the provider, the ledger says ${row?.inFlight}`);
  }
}
