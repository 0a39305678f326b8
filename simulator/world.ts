import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import type { Db, Pool } from '@sparechange/server/db/connect.ts';
import type { Mail } from '@sparechange/server/ports/mailer.ts';
import { tenantA } from '@sparechange/server/tenants/load-tenants.ts';
import type { ForwardedAccounts } from './actors/forwarded-link.ts';
import type { SupporterActor } from './actors/supporter-actor.ts';
import type { ExternalSystems } from './external-systems.ts';
import type { AccountNumbers } from './invariants/account-numbers.ts';
import type { ReportedBalances } from './invariants/reported-balances.ts';
import type { Product } from './product.ts';
import type { Chance } from './scheduler/chance.ts';
import type { VirtualClock } from './scheduler/virtual-clock.ts';

export type ReceivedMail = Pick<Mail, 'subject' | 'text'> & { at: Date };

/** Counts the submissions that the circuit breaker stopped. */
export const stoppedByBreaker = 'submissions stopped by the breaker';

/** Everything of one run. */
export interface World {
  clock: VirtualClock;
  external: ExternalSystems;
  /** The process as it now runs; another after each crash. */
  product(): Product;
  /** Runs something in the product's process; if the process has ended by then, starts it again. */
  attempt<Result>(work: (product: Product) => Promise<Result>): Promise<Result | 'crashed'>;
  admin: Pool;
  /** Reads the rows of all buckets together. */
  everybody: Db;
  supporters: SupporterActor[];
  accountNumbers: AccountNumbers;
  forwarded: ForwardedAccounts;
  /** Every email that went to an address, oldest first. */
  mailsTo(email: string): readonly ReceivedMail[];
  /** The balances that the bank link reported to the product. */
  balances: ReportedBalances;
  /** Decisions of operators. */
  operators: Chance;
  /** True if the payment provider keeps our account, whose entries the product fetches; else an operator imports statements. */
  hasFloat: boolean;
  /** Returns undefined for errors that faults cause; throws others. */
  tolerate(error: unknown): undefined;
  violation(what: string): void;
  /** Counts an event for the summary. */
  count(what: string, by?: number): void;
  /** Returns how often something has happened so far. */
  counted(what: string): number;
}

/** Attempts of an action before a supporter gives up for the day. */
const maxTries = 4;

/** Calls the product and returns its answer, undefined without one. */
export async function call<Op extends Operation>(
  world: World,
  supporter: SupporterActor,
  operation: Op,
  input: InputOf<Op>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: OutputOf<Op> } | undefined> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const answer = await world.attempt(async ({ app, runtime }) => {
      const tenant = runtime.tenants.byKey(supporter.tenantKey);
      if (!tenant) throw new Error(`There is no tenant ${supporter.tenantKey}.`);
      return app.inject({
        method: operation.method,
        url: `/api${operation.path}`,
        headers: { authorization: `Bearer ${supporter.uid}`, apikey: tenant.apikey, tenant: tenant.tenant, ...headers },
        payload: JSON.parse(JSON.stringify(input)),
      });
    });
    if (answer === 'crashed') continue;
    if (answer.statusCode >= 500) {
      if (answer.statusCode === 500)
        world.violation(`${operation.name} of ${supporter.uid} answered 500: ${answer.body}`);
      world.count(`answers ${answer.statusCode}`);
      continue;
    }
    return { status: answer.statusCode, body: answer.json<OutputOf<Op>>() };
  }
  return undefined;
}

export const tenantAOf = (world: World, supporter: SupporterActor): string => {
  const tenant = world.product().runtime.tenants.byKey(supporter.tenantKey);
  return tenant ? tenantA(tenant) : '';
};
