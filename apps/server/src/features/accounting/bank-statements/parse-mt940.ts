import { type Cents, type IsoDate, isoDate, negate } from '@sparechange/domain';
import { quoted } from '#errors.ts';
import { joinStatements, type OneStatement, placed } from './several-statements.ts';
import { centsOf, dayOfSix, idOf, type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';

/** A field of a message: its tag, such as 61, and its text, which may have several lines. */
interface Field {
  tag: string;
  text: string;
}

/**
 * Reads one account's booked AUD entries from MT940 messages, as SWIFT describes them, with or without its envelope.
 * Throws StatementProblem, which names the place.
 */
export function parseMt940(content: string, place?: number): StatementFile {
  const fields = fieldsIn(content);
  if (fields.some(({ tag }) => /^34F$|^90[CD]$/.test(tag)))
    throw new StatementProblem('This is an MT942 report of a day under way. Export the booked days as MT940.');
  const messages = messagesIn(fields);
  if (messages.length === 0)
    throw new StatementProblem('This MT940 statement has no opening balance (60F). Export the days again.');
  return joinStatements(messages.map(toStatement), place);
}

const tagged = /^:(\d\d[A-Z]?):/;

/** Lists the fields; a line without a tag continues the field before it. */
function fieldsIn(content: string): Field[] {
  const fields: Field[] = [];
  for (const line of content.split(/\r\n|\n|\r/)) {
    const written = line.replace(/^\{.*\{4:/, '').replace(/^-\}.*$/, '-');
    const [mark, tag] = tagged.exec(written) ?? [];
    const last = fields.at(-1);
    if (mark && tag) fields.push({ tag, text: written.slice(mark.length) });
    else if (written === '-' || written.startsWith('{')) fields.push({ tag: '-', text: '' });
    else if (last) last.text += `\n${written}`;
  }
  return fields;
}

/** Divides the fields into statements, of which each begins with its reference or, without one, its account. */
function messagesIn(fields: readonly Field[]): Field[][] {
  const messages: Field[][] = [[]];
  for (const field of fields) {
    const current = messages.at(-1) ?? [];
    const isNext = field.tag === '20' || (field.tag === '25' && current.some(({ tag }) => tag === '25'));
    if (isNext) messages.push([field]);
    else if (field.tag !== '-') current.push(field);
  }
  return messages.filter((message) => message.some(({ tag }) => /^6[01]/.test(tag)));
}

/** Reads a value day; banks that reckon months of thirty days write 30 February, and 29 February in any year. */
function valueDayOf(six: string, where: string): IsoDate {
  const isLeapYear = Number(six.slice(0, 2)) % 4 === 0;
  const isBeyond = /02(?:29|30)$/.test(six) && !(isLeapYear && six.endsWith('29'));
  return dayOfSix(isBeyond ? `${six.slice(0, 4)}28` : six, where);
}

function toStatement(fields: readonly Field[], at: number, { length }: readonly unknown[]): OneStatement {
  const where = length > 1 ? `statement ${at + 1}` : '';
  const of = (...tags: string[]) => fields.find(({ tag }) => tags.includes(tag))?.text;
  const opening = balanceOf(of('60F', '60M'), placed(where, 'the opening balance'));
  const closing = balanceOf(of('62F', '62M'), placed(where, 'the closing balance'));
  if (!opening || !closing)
    throw new StatementProblem(
      `${placed(where, 'the file')} has no ${opening ? 'closing balance (62F)' : 'opening balance (60F)'}: export the days again.`,
    );
  const entries = fields.flatMap(({ tag, text }, place) => {
    const next = fields[place + 1];
    return tag === '61' ? [{ text, words: next?.tag === '86' ? next.text : '' }] : [];
  });
  const lines = entries.flatMap(({ text, words }, place) => toLine(text, words, placed(where, `entry ${place + 1}`)));
  return {
    where,
    account: of('25')?.split('\n')[0]?.trim() ?? '',
    from: opening.day,
    openingCents: opening.cents,
    closingCents: closing.cents,
    closingOn: closing.day,
    lines,
  };
}

const amount = /(\d[\d,]{0,20})/.source;
const balance = new RegExp(`^([CD])(\\d{6})([A-Z]{3})${amount}\\s*$`);

function balanceOf(text: string | undefined, where: string): { cents: Cents; day: IsoDate } | undefined {
  if (text === undefined) return undefined;
  const [, side, day = '', currency, written = ''] = balance.exec(text) ?? [];
  if (!side) throw new StatementProblem(`${where}: ${quoted(text)} is not one such as C261124AUD12,50.`);
  if (currency !== 'AUD') throw new StatementProblem(`${where}: ${currency} is not AUD.`);
  const cents = centsOf(written.replace(',', '.'), where);
  return { cents: side === 'D' ? negate(cents) : cents, day: dayOfSix(day, where) };
}

/** Value day, entry day, mark (RC takes a credit back, RD a debit), third letter of the currency, amount, kind, ids. */
const entry = new RegExp(`^(\\d{6})(\\d{4}| {4})?(R?[CD])([A-Z])?${amount}([A-Z][A-Z0-9 ]{3})([^\\n]*)`);

function toLine(text: string, words: string, where: string): StatementLine[] {
  const [all, valueDay = '', entryDay, mark, , written = '', , ids = ''] = entry.exec(text) ?? [];
  if (!all)
    throw new StatementProblem(`${where}: ${quoted(text)} is not one such as 2611241124C12,50NTRFNONREF//4711.`);
  const value = valueDayOf(valueDay, where);
  const cents = centsOf(written.replace(',', '.'), where);
  if (cents === 0) return [];
  const [own = '', bank = ''] = ids.split('//');
  const id = idOf(bank.trim(), where);
  const further = [own.trim(), text.slice(all.length).trim()].filter((each) => each && each !== 'NONREF').join(' ');
  return [
    {
      ...(id ? { id } : {}),
      bookedOn: entryDay?.trim() ? nearest(entryDay, value, where) : value,
      cents: mark === 'D' || mark === 'RC' ? negate(cents) : cents,
      text: wordsOf(words) || further,
      ...(further && words ? { further } : {}),
    },
  ];
}

const dayMs = 86_400_000;

/** Returns the day of an entry, MMDD, in the year that brings it closest to its value day: the year may turn between. */
function nearest(monthAndDay: string, value: IsoDate, where: string): IsoDate {
  const year = Number(value.slice(0, 4));
  const at = (each: string) => Date.parse(`${each}T00:00:00Z`);
  const candidates = [year - 1, year, year + 1]
    .map((each) => `${each}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2)}`)
    .filter((each) => new Date(at(each) || 0).toISOString().startsWith(each));
  const [closest] = candidates.toSorted(
    (one, other) => Math.abs(at(one) - at(value)) - Math.abs(at(other) - at(value)),
  );
  if (!closest || Math.abs(at(closest) - at(value)) > 200 * dayMs)
    throw new StatementProblem(`${where}: ${quoted(monthAndDay)} is not a day such as 1124.`);
  return isoDate(closest);
}

const structured = /^\d{3}\?/;

/** Returns the words for the account's owner: as they are, or the parts of them that are neither code nor bank number. */
function wordsOf(text: string): string {
  const joined = text.split('\n').map((line) => line.trim());
  if (!structured.test(text)) return joined.filter(Boolean).join(' ');
  const parts = joined
    .join('')
    .split(/\?(?=\d\d)/)
    .slice(1);
  const of = (from: number, to: number) =>
    parts
      .filter((part) => Number(part.slice(0, 2)) >= from && Number(part.slice(0, 2)) <= to)
      .map((part) => part.slice(2));
  return [of(0, 0).join(''), [...of(20, 29), ...of(60, 63)].join(''), of(32, 33).join('')].filter(Boolean).join(' ');
}
