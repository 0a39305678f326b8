import { type IsoDate, sydneyDay } from '@sparechange/domain';
import { quoted } from '#errors.ts';
import { joinStatements, type OneStatement, placed } from './several-statements.ts';
import { centsOf, dayOf, idOf, type StatementFile, type StatementLine, StatementProblem } from './statement-file.ts';

/** Elements that hold others; every other element holds text, and in OFX 1 has no end. */
const holders = new Set([
  ...['OFX', 'BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS', 'BANKACCTFROM', 'BANKTRANLIST', 'STMTTRN', 'LEDGERBAL', 'AVAILBAL'],
  ...['CREDITCARDMSGSRSV1', 'CCSTMTTRNRS', 'CCSTMTRS', 'CCACCTFROM', 'INVSTMTMSGSRSV1', 'INVSTMTTRNRS', 'INVSTMTRS'],
  ...['SIGNONMSGSRSV1', 'SONRS', 'FI', 'STATUS', 'CURRENCY', 'ORIGCURRENCY', 'PAYEE', 'BANKACCTTO', 'CCACCTTO'],
  ...['BANKTRANLISTP', 'STMTTRNP', 'BALLIST', 'BAL', 'IMAGEDATA'],
]);

/** An element with its text, or with the elements in it. */
interface Element {
  name: string;
  text: string;
  inside: Element[];
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (written, decimal, hex, name = '') => {
    if (name) return entities[name.toLowerCase()] ?? written;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : written;
  });

/** Deeper than any statement. */
const maxDepth = 20;

/** Reads the elements of OFX 1, which is SGML without ends of its texts, or of OFX 2, which is XML. */
function elementsIn(content: string): Element {
  const root: Element = { name: '', text: '', inside: [] };
  const open = [root];
  for (const [, end, written = '', text = ''] of content.matchAll(/<(\/?)([A-Za-z][\w.]{0,40})[^<>]{0,200}>([^<]*)/g)) {
    const name = written.toUpperCase();
    const at = open.findLastIndex((element) => element.name === name);
    if (end && at > 0) open.splice(at);
    if (end) continue;
    const element = { name, text: unescaped(text.trim()), inside: [] };
    open.at(-1)?.inside.push(element);
    if (holders.has(name)) open.push(element);
    if (open.length > maxDepth) throw new StatementProblem('This OFX file is nested more deeply than a statement.');
  }
  return root;
}

/** Lists the elements of a name at any depth. */
const all = (element: Element, name: string): Element[] =>
  element.inside.flatMap((each) => (each.name === name ? [each] : all(each, name)));

/** Returns the text at a path of names; '' if there is none. */
function textAt(element: Element, ...path: string[]): string {
  let found: Element | undefined = element;
  for (const name of path) found = found?.inside.find((each) => each.name === name);
  return found?.text ?? '';
}

/** Reads one bank account's AUD transactions from OFX 1 or 2. Throws StatementProblem, which names the place. */
export function parseOfx(content: string, place?: number): StatementFile {
  if (!/<\/OFX\s*>\s*$/i.test(content))
    throw new StatementProblem(
      'This OFX file ends before its last element (OFX): a part of it is missing. Export it again.',
    );
  const root = elementsIn(content.slice(Math.max(0, content.search(/<OFX\b/i))));
  const statements = all(root, 'STMTRS');
  if (statements.length > 0) return joinStatements(statements.map(toStatement), place);
  const isCard = all(root, 'CCSTMTRS').length > 0;
  throw new StatementProblem(
    isCard
      ? 'This OFX file is of a credit card. Export the statement of the trust account.'
      : 'This OFX file has no statement of a bank account (STMTRS). Export the days again.',
  );
}

function toStatement(element: Element, at: number, { length }: readonly unknown[]): OneStatement {
  const where = length > 1 ? `statement ${at + 1}` : '';
  const currency = textAt(element, 'CURDEF') || 'AUD';
  if (currency.toUpperCase() !== 'AUD')
    throw new StatementProblem(`${placed(where, 'the account')}: its currency ${quoted(currency)} is not AUD.`);
  const lines = all(element, 'STMTTRN').flatMap((each, place) =>
    toLine(each, placed(where, `transaction ${place + 1}`)),
  );
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  const closing = closingOf(element, days.at(-1), where);
  return {
    where,
    account: [textAt(element, 'BANKACCTFROM', 'BANKID'), textAt(element, 'BANKACCTFROM', 'ACCTID')]
      .filter((part) => /\d/.test(part))
      .join(' '),
    from: days[0] ?? closing?.closingOn ?? '',
    ...closing,
    lines,
  };
}

/** Reads the balance unless it is of a later day than the transactions: those between may not be in the file. */
function closingOf(
  element: Element,
  lastDay: IsoDate | undefined,
  where: string,
): Pick<OneStatement, 'closingCents' | 'closingOn'> | undefined {
  const [written, at] = [textAt(element, 'LEDGERBAL', 'BALAMT'), textAt(element, 'LEDGERBAL', 'DTASOF')];
  if (!written || !at) return undefined;
  const place = placed(where, 'the balance');
  const closingOn = dayOfOfx(at, place);
  const until = textAt(element, 'BANKTRANLIST', 'DTEND');
  const covered = [lastDay ?? '', until ? dayOfOfx(until, place) : ''].toSorted().at(-1) ?? '';
  return closingOn > covered ? undefined : { closingCents: centsOf(inPoints(written), place), closingOn };
}

/** The format allows a comma before the cents. */
const inPoints = (written: string): string => written.replace(/^([+-]?\d+),(\d{1,2})$/, '$1.$2');

const instant =
  /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(?:\.\d{1,6})?)?(?:\[([+-]?\d{1,2}(?:\.\d{1,2})?)(?::[^\]]{0,20})?\])?$/;

/**
 * Returns the Sydney day of a time. One without a zone is the bank's own, and midnight or noon stands for a day alone,
 * in any zone.
 */
function dayOfOfx(written: string, where: string): IsoDate {
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', zone] =
    instant.exec(written.replace(/\s/g, '')) ?? [];
  const named = dayOf(`${year}-${month}-${day}`, where, written);
  if (zone === undefined || ['000000', '120000'].includes(`${hour}${minute}${second}`)) return named;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return sydneyDay(new Date(at - Number(zone) * 3_600_000));
}

function toLine(element: Element, where: string): StatementLine[] {
  const currency = textAt(element, 'CURRENCY', 'CURSYM') || 'AUD';
  if (currency.toUpperCase() !== 'AUD')
    throw new StatementProblem(`${where}: its currency ${quoted(currency)} is not AUD.`);
  const of = (name: string) => textAt(element, name);
  if (!of('TRNAMT') || !of('DTPOSTED')) throw new StatementProblem(`${where} has no amount or no day.`);
  const id = idOf(of('FITID'), where);
  const cents = centsOf(inPoints(of('TRNAMT')), where);
  if (cents === 0) return [];
  const name = of('NAME') || textAt(element, 'PAYEE', 'NAME');
  const memo = of('MEMO');
  // Banks cut the name off after 32 letters and begin the memo with the same words.
  const text = (memo.startsWith(name) ? memo : [name, memo].filter(Boolean).join(' ')) || of('TRNTYPE');
  const further = [of('REFNUM'), of('CHECKNUM')].filter((words) => words && !text.includes(words)).join(' ');
  return [
    {
      ...(id ? { id } : {}),
      bookedOn: dayOfOfx(of('DTPOSTED'), where),
      cents,
      text,
      ...(further ? { further } : {}),
    },
  ];
}
