import { createHash } from 'node:crypto';
import { type Cents, type IsoDate, total } from '@sparechange/domain';
import { bankingDayOnOrAfter, nextBankingDay } from '@sparechange/domain/banking-calendar';
import type { OrderKind, WaitingEntry } from '#ports/direct-entry-book.ts';
import { type AbaDetail, balancingDetail, encodeAba, maxCents } from './aba.ts';
import { accountTitle, bankText } from './bank-text.ts';
import { plainNumber } from './check-order.ts';
import type { DirectEntrySettings } from './settings.ts';

const descriptions: Record<OrderKind, string> = { debit: 'ROUND UPS', payout: 'PAYOUTS' };

/** The banking day an order is processed on: when it is due, but no earlier than the bank can have the file. */
export function processDay(dueOn: IsoDate, today: IsoDate, leadDays: number): IsoDate {
  return bankingDayOnOrAfter(dueOn > today ? dueOn : addBankingDays(bankingDayOnOrAfter(today), leadDays));
}

export function addBankingDays(day: IsoDate, count: number): IsoDate {
  let later = day;
  for (let step = 0; step < count; step += 1) later = nextBankingDay(later);
  return later;
}

/**
 * Returns the orders of the next file: those waiting that share the earliest day, as many as the records and the ten
 * digits of the totals hold.
 */
export function nextFileOf(
  waiting: WaitingEntry[],
  today: IsoDate,
  { leadDays, maxRecords, isBalanced }: DirectEntrySettings,
): { processOn: IsoDate; entries: WaitingEntry[] } | undefined {
  const [first] = waiting;
  if (!first) return undefined;
  const processOn = processDay(first.dueOn, today, leadDays);
  const entries: WaitingEntry[] = [];
  let total = 0;
  for (const entry of waiting.slice(0, maxRecords - (isBalanced ? 1 : 0))) {
    total += entry.amount;
    if (total > maxCents || processDay(entry.dueOn, today, leadDays) !== processOn) break;
    entries.push(entry);
  }
  return { processOn, entries };
}

function detailOf(kind: OrderKind, entry: WaitingEntry, settings: DirectEntrySettings): AbaDetail {
  return {
    bsb: entry.account.bsb.replace(/\D/g, ''),
    account: plainNumber(entry.account.accountNumber),
    code: kind === 'debit' ? 13 : 50,
    amount: entry.amount,
    title: accountTitle(entry.account.name) ?? '',
    reference: entry.reference,
    traceBsb: settings.traceBsb,
    traceAccount: settings.traceAccount,
    remitter: bankText(entry.remitter) || bankText(settings.statementName),
  };
}

const placeOf = ({ bsb, account, reference }: AbaDetail): string => `${bsb} ${account.padStart(9)} ${reference}`;

/** `debits-2026-11-25-2.aba` balances as DEBITS261125-2; 18 letters hold 9,999 files daily. */
export const balancingReference = (name: string): string =>
  name.replace(/^(\w+)-\d\d(\d\d)-(\d\d)-(\d\d)(-\d+)\.aba$/, '$1$2$3$4$5').toUpperCase();

/** The text of a file. Records are ordered by BSB and account, as the Commonwealth Bank wants them. */
export function composeFile(
  kind: OrderKind,
  name: string,
  { processOn, entries }: { processOn: IsoDate; entries: WaitingEntry[] },
  settings: DirectEntrySettings,
): { content: string; contentHash: string; totalCents: Cents } {
  const details = entries
    .map((entry) => detailOf(kind, entry, settings))
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const totalCents = total(details.map(({ amount }) => amount));
  const userName = bankText(settings.userName);
  const balancing = settings.isBalanced ? [balancingDetail(details, userName, balancingReference(name))] : [];
  const content = encodeAba({
    bank: settings.bank,
    userName,
    userId: settings.userId,
    description: descriptions[kind],
    processOn,
    details: [...details, ...balancing],
  });
  return { content, contentHash: hashOf(content), totalCents };
}

/** Returns the hash that recognises a changed or repeated file. */
export const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');
