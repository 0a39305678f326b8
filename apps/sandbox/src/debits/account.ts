import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { subscriptions } from '#webhooks/messages.ts';
import { type Db, readSetting, saveSetting, table } from '#world/database.ts';
import type { World } from '#world/world.ts';
import { notFound } from './answers.ts';
import { floatBalance } from './float-movements.ts';

/** The application's Zepto account and its float account for collections. */
export const merchant = {
  accountId: '4e2728cc-b4ba-42c2-a6c3-26a7758de58d',
  bankAccountId: '83623359-e86e-440c-9780-432a3bc3626f',
  branchCode: '802919',
  accountNumber: '1748212',
} as const;

/** 36³ − 1: references start at 1000 in base 36. */
const beforeFirstRef = 46_655;

/** Returns a new reference, short and unique, of a debit, credit, payment request, payment batch, agreement or contact. */
export function nextRef(db: Db, prefix: 'D' | 'C' | 'PR' | 'PB' | 'A' | 'CNT'): string {
  const key = `ref ${prefix}`;
  const number = Number(readSetting(db, key) ?? beforeFirstRef) + 1;
  saveSetting(db, key, String(number));
  return `${prefix}.${number.toString(36)}`;
}

/** Habits of the real provider that are off unless a test asks for them, because they would surprise everybody else. */
export const Options = z.object({
  /** As the real Zepto does by default: merges debits of equal account, description and day. */
  aggregateDebits: z.boolean().default(false),
  /** Debits of $2.01 to $2.06, $2.08 and $2.09 come back, as in Zepto's own sandbox. These are ordinary round-up totals. */
  failByAmount: z.boolean().default(false),
  /** Our account is a float, of which entries are listed, and not an account at a bank with that bank's statements. */
  isFloat: z.boolean().default(false),
});
export type Options = z.infer<typeof Options>;

const optionsKey = 'debit options';

export const readOptions = (db: Db): Options => Options.parse(JSON.parse(readSetting(db, optionsKey) ?? '{}'));

export function saveOptions(db: Db, change: Partial<Options>): Options {
  const options = { ...readOptions(db), ...change };
  saveSetting(db, optionsKey, JSON.stringify(options));
  return options;
}

/** A return that was asked for: the next debit of that payer, or deposit to them, comes back. */
interface ForcedReturn {
  id: number;
  /** A contact id or an email address. */
  payer: string;
  kind: 'debit' | 'deposit';
  code: number;
  isLate: number;
}

const forcedReturns = table<ForcedReturn, 'id'>('forced_returns');

export function forceReturn(db: Db, payer: string, kind: ForcedReturn['kind'], code: number, isLate: boolean): void {
  forcedReturns.insert(db, { payer: payer.toLowerCase(), kind, code, isLate: isLate ? 1 : 0 });
}

export function takeForcedReturn(
  db: Db,
  contact: { id: string; email: string },
  kind: ForcedReturn['kind'],
): ForcedReturn | undefined {
  const names = [contact.id.toLowerCase(), contact.email.toLowerCase()];
  const [taken] = forcedReturns.select(db, 'where payer in (?, ?) and kind = ? order by id limit 1', ...names, kind);
  if (taken !== undefined) forcedReturns.remove(db, { id: taken.id });
  return taken;
}

export function accountRoutes(app: FastifyInstance, { db }: World): void {
  const account = () => ({
    id: merchant.bankAccountId,
    account_type: readOptions(db).isFloat ? 'float_account' : 'bank_account',
    branch_code: merchant.branchCode,
    bank_name: 'Zepto Float Account',
    account_number: merchant.accountNumber,
    status: 'active',
    title: 'Float Account',
    available_balance: floatBalance(db),
  });

  app.get('/bank_accounts', async (_request, reply) => reply.header('per-page', '25').send({ data: [account()] }));

  app.get<{ Params: { id: string } }>('/bank_accounts/:id', async ({ params }) => {
    if (params.id !== merchant.bankAccountId) throw notFound('Bank Account');
    return { data: account() };
  });

  app.get('/user', async () => ({
    data: {
      first_name: 'Sandbox',
      last_name: 'Merchant',
      email: 'merchant@sandbox.test',
      account: { name: 'Sandbox Merchant', nickname: 'sandbox-merchant' },
    },
  }));

  app.get('/webhooks', async () => ({
    data: subscriptions
      .list(db, { provider: 'zepto' }, 'order by created_at, id')
      .map(({ id, url, eventTypes }) => ({ id, url, events: eventTypes })),
  }));
}
