import { cents } from '@sparechange/domain';
import type { z } from 'zod';
import type { ProviderAccount, ProviderEntry } from '#ports/direct-debit.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { BankAccountAnswer, EntryRow, type TransactionRow } from './answers.ts';
import { describe, type ZeptoClient } from './client.ts';

const dayMs = 86_400_000;

/** A leg's own reference, or the one it has at the banks: C.1a, CT.1a. */
const legPattern = /\b[A-Z]{1,3}\.[0-9a-z]{1,30}\b/g;

/** Lists the legs that a query asks for, as old as Zepto has them: a leg that a bank sends back may be months old. */
export type ListLegs = (
  purpose: string,
  query: Record<string, string>,
) => AsyncIterable<z.output<typeof TransactionRow>>;

/** Finds our reference of a leg by the name that an entry gives it. */
type FindReference = (leg: string) => string | undefined;

/** Reads the legs that changed since an instant; those of one order share its reference, which a reversal does not repeat. */
async function readLegs(listLegs: ListLegs, since: Date): Promise<FindReference> {
  const orders = new Map<string, string>();
  const references = new Map<string, string>();
  const query = { min_status_changed_date: since.toISOString() };
  for await (const leg of listLegs('list the payments of entries', query)) {
    if (!leg.parent_ref) continue;
    for (const name of [leg.ref, leg.bank_ref]) if (name) orders.set(name, leg.parent_ref);
    if (leg.description && (leg.category ?? 'payout') === 'payout') references.set(leg.parent_ref, leg.description);
  }
  return (leg) => references.get(orders.get(leg) ?? '');
}

function toEntry(row: z.output<typeof EntryRow>, findReference: FindReference): ProviderEntry {
  const description = row.description ?? '';
  const [reference] = (description.match(legPattern) ?? []).flatMap((leg) => findReference(leg) ?? []);
  return {
    id: `FE${row.id.replaceAll('-', '')}`,
    at: row.created_at,
    amount: cents(row.amount),
    balanceAfter: cents(row.available_balance_after),
    description,
    ...(reference ? { reference } : {}),
  };
}

/** Our token may lack the scope for accounts; an account that Zepto does not show is at a bank, with that bank's statements. */
const isNotShown = (status: number): boolean => status === 403 || status === 404;

/**
 * Opens a float account, of which Zepto lists each movement. Returns undefined for an account at a bank.
 */
export async function openFloat(
  client: ZeptoClient,
  listLegs: ListLegs,
  id: string,
): Promise<ProviderAccount | undefined> {
  const path = `/bank_accounts/${encodeURIComponent(id)}`;
  const purpose = 'look at our account';
  const answer = await client.exchange({ purpose, path });
  if (isNotShown(answer.status)) return undefined;
  const { data: account } = BankAccountAnswer.safeParse(answer.body);
  if (answer.status !== 200 || !account) throw new ProviderUnavailable(describe(purpose, answer));
  const { account_type: type, title, branch_code: bsb, account_number: number } = account.data;
  if (type !== 'float_account') return undefined;
  return {
    name: title || 'Zepto float account',
    number: `${bsb}${number}`,
    async *entries(from, until) {
      // Legs change a moment before or after their entry is booked.
      const findReference = await readLegs(listLegs, new Date(from.getTime() - dayMs));
      const query = { min_created_date: from.toISOString(), max_created_date: until.toISOString() };
      const call = { purpose: "list our account's entries", path: `${path}/entries`, query };
      for await (const row of client.list(EntryRow, call, { mustReadAll: true }))
        if (row.created_at >= from && row.created_at < until) yield toEntry(row, findReference);
    },
  };
}
