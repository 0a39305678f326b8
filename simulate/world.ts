import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import type { Pool } from '../apps/server/src/db/connect.ts';
import type { Mail } from '../apps/server/src/ports/mailer.ts';
import { tenantA } from '../apps/server/src/tenants/load-tenants.ts';
import type { AccountNumbers } from './account-numbers.ts';
import type { BalancesTold } from './balances-told.ts';
import type { Chance } from './chance.ts';
import type { ForwardedAccounts } from './forwarded-link.ts';
import type { Outside } from './outside.ts';
import type { Person } from './person.ts';
import type { Product } from './product.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type ReceivedMail = Pick<Mail, 'subject' | 'text'> & { at: Date };

/** Counts the submissions that the circuit breaker stopped. */
export const stoppedByBreaker = 'submissions stopped by the breaker';

/** Everything of one run. */
export interface World {
  clock: VirtualClock;
  outside: Outside;
  /** The program as it now runs; another one after each crash. */
  product(): Product;
  /** Runs something in the product's program; when the program ended meanwhile, starts it again. */
  attempt<Result>(work: (product: Product) => Promise<Result>): Promise<Result | 'crashed'>;
  admin: Pool;
  people: Person[];
  accountNumbers: AccountNumbers;
  forwarded: ForwardedAccounts;
  /** Every mail that has gone to an address, the oldest first. */
  mailsTo(email: string): readonly ReceivedMail[];
  /** The balance the product was last told of an account before a moment. */
  balances: BalancesTold;
  lives: Chance;
  /** Decisions of operators. */
  operators: Chance;
  /** Lets what faults may lead to be, and nothing else: answers undefined for it, throws the rest. */
  tolerate(error: unknown): undefined;
  /** Notes that something is wrong. */
  violation(what: string): void;
  /** Notes something that happened, for the summary. */
  count(what: string, by?: number): void;
  /** Returns how often something has happened so far. */
  counted(what: string): number;
}

/** Presses of a button before somebody gives up until another time. */
const mostTries = 4;

/** Calls the product and returns its answer; undefined when it could not answer. */
export async function call<Op extends Operation>(
  world: World,
  person: Person,
  operation: Op,
  input: InputOf<Op>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: OutputOf<Op> } | undefined> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const answer = await world.attempt(async ({ app, runtime }) => {
      const tenant = runtime.tenants.byKey(person.tenantKey);
      if (!tenant) throw new Error(`There is no tenant ${person.tenantKey}.`);
      return app.inject({
        method: operation.method,
        url: `/api${operation.path}`,
        headers: { authorization: `Bearer ${person.uid}`, apikey: tenant.apikey, tenant: tenant.tenant, ...headers },
        payload: JSON.parse(JSON.stringify(input)),
      });
    });
    if (answer === 'crashed') continue;
    if (answer.statusCode >= 500) {
      if (answer.statusCode === 500) world.violation(`${operation.name} of ${person.uid} answered 500: ${answer.body}`);
      world.count(`answers ${answer.statusCode}`);
      continue;
    }
    return { status: answer.statusCode, body: answer.json<OutputOf<Op>>() };
  }
  return undefined;
}

export const tenantAOf = (world: World, person: Person): string => {
  const tenant = world.product().runtime.tenants.byKey(person.tenantKey);
  return tenant ? tenantA(tenant) : '';
};
