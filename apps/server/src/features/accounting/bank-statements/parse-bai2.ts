import { type Cents, formatCents, negate, total } from '@sparechange/domain';
import { quoted } from '#errors.ts';
import { joinStatements, type OneStatement, placed } from './several-statements.ts';
import { centsOf, dayOfSix, type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';

/** A record with those that continue it. */
interface BaiRecord {
  kind: string;
  fields: string[];
  /** Line of the file, from 1. */
  line: number;
}

/** One account's records on one day. */
interface AccountDay {
  day: string;
  currency: string;
  header: BaiRecord;
  entries: BaiRecord[];
  trailer: BaiRecord;
  records: number;
}

/**
 * Reads one account's booked AUD transactions from BAI2 or NAI, its Australian form, whose amounts are in cents without
 * a point. Throws StatementProblem, which names the line.
 */
export function parseBai2(content: string, place?: number): StatementFile {
  const days = accountDaysIn(recordsIn(content));
  if (days.length === 0) throw new StatementProblem('This BAI2 file has no account (03). Export the days again.');
  return joinStatements(days.map(toStatement), place);
}

/** A record, with the number of lines that it takes. */
type CountedRecord = BaiRecord & { parts: number };

/** Reads the records; an 88 continues the fields of the record before it, or its text. */
function recordsIn(content: string): CountedRecord[] {
  const records: CountedRecord[] = [];
  for (const [at, raw] of content.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim().replace(/\/$/, '');
    if (line === '') continue;
    const [kind, rest] = [line.slice(0, 2), line.slice(3)];
    const last = records.at(-1);
    if (kind !== '88' || !last) records.push({ kind, fields: rest.split(','), line: at + 1, parts: 1 });
    else {
      last.parts += 1;
      if (last.kind === '16' && last.fields.length > textAt(last.fields))
        last.fields.push(`${last.fields.pop()} ${rest}`);
      else last.fields.push(...rest.split(','));
    }
  }
  return records;
}

const broken = (line: number, words: string) => new StatementProblem(`line ${line}: ${words}`);

/** Divides the records into accounts and days; throws if one has no trailer, as half a file has none. */
function accountDaysIn(records: readonly CountedRecord[]): AccountDay[] {
  const days: AccountDay[] = [];
  let group: BaiRecord | undefined;
  let open: Omit<AccountDay, 'trailer'> | undefined;
  for (const record of records) {
    const { kind, fields, line, parts } = record;
    if (kind === '02') group = record;
    if (kind === '03') {
      if (!group) throw broken(line, 'the account is in no group (02).');
      if (!['1', ''].includes(group.fields[2] ?? ''))
        throw broken(group.line, 'the group corrects or deletes an earlier one. Export the days again.');
      const currency = fields[1] || group.fields[5] || 'AUD';
      open = { day: group.fields[3] ?? '', currency, header: record, entries: [], records: 0 };
    }
    if (open) open.records += parts;
    if (kind === '16') {
      if (!open) throw broken(line, 'the transaction is of no account (03).');
      open.entries.push(record);
    }
    if (kind === '49' && open) {
      days.push({ ...open, trailer: record });
      open = undefined;
    }
  }
  const last = records.at(-1);
  if (open || last?.kind !== '99')
    throw new StatementProblem('The file ends before its last record (99): a part of it is missing. Export it again.');
  return days;
}

const [openingCode, closingCode] = ['010', '015'];

/** Reads cents without a point, which may have a sign. */
function centsWithoutPoint(written: string, line: number): Cents {
  const [, sign, digits] = /^([+-]?)(\d{1,20})$/.exec(written) ?? [];
  if (!digits) throw broken(line, `${quoted(written)} is not an amount in cents, such as 1250.`);
  return centsOf(`${sign}${digits.slice(0, -2)}.${digits.slice(-2).padStart(2, '0')}`, `line ${line}`);
}

/** Number of fields after an amount that tell when it can be used. */
function fieldsOfFunds(fields: readonly string[], at: number): number {
  const kind = fields[at]?.toUpperCase();
  if (kind === 'S') return 4;
  if (kind === 'V') return 3;
  const days = kind === 'D' ? /^\d{1,3}$/.exec(fields[at + 1] ?? '') : null;
  return days ? 2 + 2 * Number(days[0]) : 1;
}

/** Place of a transaction's text, behind code, amount, funds, the bank's reference and the customer's. */
const textAt = (fields: readonly string[]): number => 4 + fieldsOfFunds(fields, 2);

/** Lists the amounts of an account's header by their codes. */
function amountsOf({ fields, line }: BaiRecord): { code: string; cents: Cents }[] {
  const amounts: { code: string; cents: Cents }[] = [];
  for (let at = 2; at < fields.length; ) {
    const [code = '', written = ''] = [fields[at], fields[at + 1]];
    if (/^\d{2,3}$/.test(code) && written !== '')
      amounts.push({ code: code.padStart(3, '0'), cents: centsWithoutPoint(written, line) });
    // A code is followed by amount, number of items and kind of funds; NAI leaves the last two out.
    const isPair = /^\d{3}$/.test(fields[at + 2] ?? '') && /^[+-]?\d{2,}$/.test(fields[at + 3] ?? '');
    at += isPair ? 2 : 3 + fieldsOfFunds(fields, at + 3);
  }
  return amounts;
}

function toStatement(day: AccountDay, at: number, { length }: readonly unknown[]): OneStatement {
  const { header, entries, currency } = day;
  const where = length > 1 ? `statement ${at + 1}` : '';
  if (currency.toUpperCase() !== 'AUD')
    throw broken(header.line, `the currency ${quoted(currency)} of the account is not AUD.`);
  const bookedOn = dayOfSix(day.day, `line ${header.line}`);
  const amounts = amountsOf(header);
  checkTotal(
    day,
    amounts.map((each) => each.cents),
  );
  const balance = (code: string) => amounts.find((each) => each.code === code)?.cents;
  const [opening, closing] = [balance(openingCode), balance(closingCode)];
  return {
    where,
    account: header.fields[0]?.trim() ?? '',
    from: bookedOn,
    ...(opening === undefined ? {} : { openingCents: opening }),
    ...(closing === undefined ? {} : { closingCents: closing, closingOn: bookedOn }),
    lines: entries.flatMap((record) => toLine(record, bookedOn, placed(where, `line ${record.line}`))),
  };
}

/** Compares the trailer's sum and number of records, where it has them; NAI has two sums instead. */
function checkTotal({ trailer, entries, records }: AccountDay, ofHeader: readonly Cents[]): void {
  const [sum = '', count = ''] = trailer.fields;
  if (!/^\d{1,8}$/.test(count) || Number(count) !== records) return;
  const found = total([...ofHeader, ...entries.map(({ fields, line }) => centsWithoutPoint(fields[1] ?? '', line))]);
  const stated = centsWithoutPoint(sum, trailer.line);
  if (stated !== found)
    throw broken(
      trailer.line,
      `the amounts of the account come to ${formatCents(found)}, the file says ${formatCents(stated)}. Export it again.`,
    );
}

/** Codes from 100 are of incoming money and from 400 of outgoing; a bank defines its own from 920 and from 960. */
function signOf(code: number): 1 | -1 | undefined {
  if ((code >= 100 && code < 400) || (code >= 920 && code < 960)) return 1;
  return (code >= 400 && code < 700) || (code >= 960 && code < 1000) ? -1 : undefined;
}

function toLine({ fields, line }: BaiRecord, bookedOn: StatementLine['bookedOn'], where: string): StatementLine[] {
  const [code = '', written = ''] = fields;
  const sign = /^\d{3}$/.test(code) ? signOf(Number(code)) : undefined;
  // Codes of texts have no amount.
  if (Number(code) >= 890 && Number(code) < 900) return [];
  if (!sign) throw new StatementProblem(`${where}: the code ${quoted(code)} does not say whether money came or left.`);
  const amount = centsWithoutPoint(written || '0', line);
  if (amount < 0 && sign > 0)
    throw new StatementProblem(
      `${where}: the amount ${quoted(written)} has a minus beside the code ${code} of incoming money.`,
    );
  const size = amount < 0 ? negate(amount) : amount;
  if (size === 0) return [];
  // Neither reference is an identity: banks repeat them.
  const [bank = '', own = ''] = fields.slice(textAt(fields) - 2).map((each) => each.trim());
  const text = fields.slice(textAt(fields)).join(',').trim();
  const further = [bank, text && own].filter(Boolean).join(' ');
  return [{ bookedOn, cents: sign < 0 ? negate(size) : size, text: text || own, ...(further ? { further } : {}) }];
}
