import { type Cents, cents, type IsoDate, isoDate } from '@sparechange/domain';
import { BankFileProblem } from '#ports/bank-files.ts';
import { linesOf, packRecord, unpackRecord } from './record.ts';

/** 13 takes money from an account, 50 pays into one. */
export type TransactionCode = 13 | 50;

export interface AbaDetail {
  /** Six digits. */
  bsb: string;
  /** At most nine digits. */
  account: string;
  code: TransactionCode;
  amount: Cents;
  /** The account title, at most 32 characters. */
  title: string;
  /** At most 18 characters; comes back unchanged in a return. */
  reference: string;
  /** Our own account, to which the bank returns. */
  traceBsb: string;
  traceAccount: string;
  /** Our name on the statement, at most 16 characters. */
  remitter: string;
}

export interface AbaFile {
  /** The bank's abbreviation: CBA, NAB, WBC ... */
  bank: string;
  userName: string;
  /** The direct entry user id, six digits. */
  userId: string;
  description: string;
  processOn: IsoDate;
  details: AbaDetail[];
}

/** Type 0 of the ABA format (docs/rules.md#bank-files). */
export const headerLayout = {
  type: [1, 1],
  reel: [19, 20],
  bank: [21, 23],
  userName: [31, 56],
  userId: [57, 62],
  description: [63, 74],
  processOn: [75, 80],
} as const;

/** Type 1, a line of a debit or a payout. */
export const detailLayout = {
  type: [1, 1],
  bsb: [2, 8],
  account: [9, 17, 'spaces before'],
  indicator: [18, 18],
  code: [19, 20],
  amount: [21, 30, 'zeros before'],
  title: [31, 62],
  reference: [63, 80],
  traceBsb: [81, 87],
  traceAccount: [88, 96, 'spaces before'],
  remitter: [97, 112],
  withholdingTax: [113, 120, 'zeros before'],
} as const;

/** Type 7, the totals. */
export const totalLayout = {
  type: [1, 1],
  bsb: [2, 8],
  net: [21, 30, 'zeros before'],
  credits: [31, 40, 'zeros before'],
  debits: [41, 50, 'zeros before'],
  count: [75, 80, 'zeros before'],
} as const;

/** Largest amount or total: ten digits of cents. */
export const maxCents = 9_999_999_999;

const hyphenated = (bsb: string): string => `${bsb.slice(0, 3)}-${bsb.slice(3)}`;
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

const dateOf = (day: IsoDate): string => `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}`;

/** Reads DDMMYY; throws for a day that does not exist. */
export function parseDate(text: string): IsoDate {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  try {
    return isoDate(`20${year}-${month}-${day}`);
  } catch {
    throw new BankFileProblem('The date of the file cannot be read.');
  }
}

const sumOf = (details: AbaDetail[], code: TransactionCode): number =>
  details.reduce((sum, detail) => sum + (detail.code === code ? detail.amount : 0), 0);

/** Balances a file's net to zero on our own account. */
export function balancingDetail(details: AbaDetail[], title: string, reference: string): AbaDetail {
  const [first] = details;
  if (!first) throw new BankFileProblem('There is nothing to balance.');
  const code = first.code === 13 ? 50 : 13;
  const { traceBsb: bsb, traceAccount: account } = first;
  return { ...first, bsb, account, code, amount: cents(sumOf(details, first.code)), title, reference };
}

function requireForm(what: string, value: string, form: RegExp): void {
  if (!form.test(value)) throw new BankFileProblem(`The ${what} does not have the form that bank files need.`);
}

function encodeDetail(detail: AbaDetail): string {
  const { bsb, traceBsb, account, traceAccount, amount, title, reference, remitter } = detail;
  requireForm('BSB', bsb, /^\d{6}$/);
  requireForm('trace BSB', traceBsb, /^\d{6}$/);
  requireForm('account', account, /^(?!0*$)\d{1,9}$/);
  requireForm('trace account', traceAccount, /^(?!0*$)\d{1,9}$/);
  for (const [what, value] of Object.entries({ title, reference, remitter })) {
    requireForm(what, value, /^\S(.*\S)?$/);
  }
  if (amount < 1 || amount > maxCents) throw new BankFileProblem(`An amount of ${amount} cents does not fit.`);
  return packRecord(detailLayout, {
    type: '1',
    indicator: ' ',
    withholdingTax: '0',
    code: String(detail.code),
    amount: String(amount),
    bsb: hyphenated(bsb),
    account,
    title,
    reference,
    remitter,
    traceBsb: hyphenated(traceBsb),
    traceAccount,
  });
}

/** A whole file: records of 120 characters with CRLF between them and none at the end. Throws when something does not fit. */
export function encodeAba(file: AbaFile): string {
  const { bank, userName, userId, description, processOn, details } = file;
  requireForm('bank abbreviation', bank, /^[A-Z]{3}$/);
  requireForm('user id', userId, /^\d{6}$/);
  requireForm('user name', userName, /^\S(.*\S)?$/);
  requireForm('description', description, /^\S(.*\S)?$/);
  if (details.length === 0) throw new BankFileProblem('A bank file has at least one order.');
  const [credits, debits] = [sumOf(details, 50), sumOf(details, 13)];
  const header = { type: '0', reel: '01', bank, userName, userId, description, processOn: dateOf(processOn) };
  const total = {
    type: '7',
    bsb: '999-999',
    net: String(Math.abs(credits - debits)),
    credits: String(credits),
    debits: String(debits),
    count: String(details.length),
  };
  const lines = [packRecord(headerLayout, header), ...details.map(encodeDetail), packRecord(totalLayout, total)];
  return lines.join('\r\n');
}

function decodeDetail(line: string): AbaDetail {
  const { type, bsb, traceBsb, code, amount, account, traceAccount, title, reference, remitter } = unpackRecord(
    detailLayout,
    line,
  );
  if (type !== '1' || (code !== '13' && code !== '50')) throw new BankFileProblem('A record is not a debit or payout.');
  const own = { traceBsb: digitsOf(traceBsb), traceAccount, remitter };
  return {
    bsb: digitsOf(bsb),
    account,
    code: code === '13' ? 13 : 50,
    amount: cents(Number(amount)),
    title,
    reference,
    ...own,
  };
}

/** Reads what `encodeAba` writes; throws if totals and records differ. */
export function decodeAba(content: string): AbaFile {
  const lines = linesOf(content);
  const { reel: _reel, type, processOn, ...header } = unpackRecord(headerLayout, lines[0] ?? '');
  const total = unpackRecord(totalLayout, lines.at(-1) ?? '');
  if (type !== '0' || total.type !== '7')
    throw new BankFileProblem('The file does not begin and end as bank files do.');
  const details = lines.slice(1, -1).map(decodeDetail);
  const [credits, debits] = [sumOf(details, 50), sumOf(details, 13)];
  const expected = [Math.abs(credits - debits), credits, debits, details.length];
  const stated = [total.net, total.credits, total.debits, total.count].map(Number);
  if (String(stated) !== String(expected)) throw new BankFileProblem('The totals do not match the records.');
  return { ...header, processOn: parseDate(processOn), details };
}
