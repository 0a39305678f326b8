import type { Db } from '#world/database.ts';
import { addDays, type IsoDate, sydneyDate, sydneyInstant } from '#world/days.ts';
import { type Cents, dollars, sumOf } from '#world/money.ts';
import { merchant } from './account.ts';
import { movements } from './float-movements.ts';

interface TrustLine {
  id: string;
  day: IsoDate;
  cents: Cents;
  text: string;
}

interface TrustStatement {
  from: IsoDate;
  to: IsoDate;
  openingCents: Cents;
  closingCents: Cents;
  lines: TrustLine[];
}

/** Lists the account's payouts, payouts returned and debits claimed back. */
const single = `
  select name as id, at, cents, case kind
    when 'paid' then 'TRANSFER OUT ' when 'payout returned' then 'RETURNED TRANSFER ' else 'DISHONOUR ' end || words as text
  from (${movements}) where kind in ('paid', 'payout returned', 'claimed back') and at < ?1`;

/** Debits arrive as one sum a day, returned or not. */
const collected = `select name as id, at, cents, '' as text from (${movements}) where kind = 'collected' and at < ?1`;

/** The statement of some whole days of the account that debits are collected into and payouts are made from. */
export function trustStatement(db: Db, from: IsoDate, to: IsoDate): TrustStatement {
  const linesOf = (sql: string): TrustLine[] =>
    db
      .all<Omit<TrustLine, 'day'> & { at: number }>(sql, sydneyInstant(addDays(to, 1)))
      .map(({ at, ...line }) => ({ ...line, day: sydneyDate(at) }));
  const settlements = [...Map.groupBy(linesOf(collected), ({ day }) => day)].map(([day, debits]) => ({
    id: `S-${day}`,
    day,
    cents: sumOf(debits),
    text: `ZEPTO SETTLEMENT ${day}`,
  }));
  const all = [...settlements, ...linesOf(single)].sort(
    (one, other) => one.day.localeCompare(other.day) || one.id.localeCompare(other.id),
  );
  const openingCents = sumOf(all.filter(({ day }) => day < from));
  const lines = all.filter(({ day }) => day >= from);
  return { from, to, openingCents, closingCents: openingCents + sumOf(lines), lines };
}

export function asCsv({ openingCents, lines }: TrustStatement): string {
  let balance = openingCents;
  const rows = lines.map(({ id, day, cents, text }) => {
    balance += cents;
    return [day, dollars(cents), text, id, dollars(balance)].join(',');
  });
  return ['date,amount,description,transaction_id,balance', ...rows, ''].join('\n');
}

const direction = (cents: Cents): string => `<CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const amount = (cents: Cents): string => `<Amt Ccy="AUD">${dollars(Math.abs(cents))}</Amt>`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const balance = (code: string, cents: Cents, day: IsoDate): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}${direction(cents)}<Dt><Dt>${day}</Dt></Dt></Bal>`;

const entry = ({ id, day, cents, text }: TrustLine): string =>
  `<Ntry>${amount(cents)}${direction(cents)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>` +
  `<AcctSvcrRef>${escaped(id)}</AcctSvcrRef><AddtlNtryInf>${escaped(text)}</AddtlNtryInf></Ntry>`;

/** ISO 20022, camt.053.001.08. */
export function asCamt053({ from, to, openingCents, closingCents, lines }: TrustStatement): string {
  const account = `<Acct><Id><Othr><Id>${merchant.branchCode}${merchant.accountNumber}</Id></Othr></Id><Ccy>AUD</Ccy></Acct>`;
  const balances = `${balance('OPBD', openingCents, from)}${balance('CLBD', closingCents, to)}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>SANDBOX-${from}-${to}</MsgId><CreDtTm>${to}T23:59:59</CreDtTm></GrpHdr>`,
    `<Stmt><Id>${from}-${to}</Id>${account}${balances}`,
    ...lines.map(entry),
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ].join('\n');
}
