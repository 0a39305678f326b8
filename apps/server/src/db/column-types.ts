import pg from 'pg';

type Parse = (text: string) => unknown;

/** Reads a bigint as number; throws RangeError if too large. */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a whole number of cents`);
  return value;
}

const asText: Parse = (text) => text;
const bytes: Parse = (text) => Buffer.from(text.slice(2), 'hex');
const instant: Parse = (text) => new Date(text);
const json: Parse = (text) => JSON.parse(text);

/** Parsers by PostgreSQL's type and the type of its arrays. Days, decimals and all others stay text. */
const types: [oid: number, arrayOid: number, parse: Parse][] = [
  [16, 1000, (text) => text === 't'], // boolean
  [17, 1001, bytes], // bytea
  [20, 1016, wholeNumber], // bigint
  [21, 1005, Number], // smallint
  [23, 1007, Number], // integer
  [26, 1028, Number], // oid
  [700, 1021, Number], // real
  [701, 1022, Number], // double precision
  [114, 199, json], // json
  [3802, 3807, json], // jsonb
  [1114, 1115, instant], // timestamp
  [1184, 1185, instant], // timestamptz
  [18, 1002, asText], // "char"
  [19, 1003, asText], // name
  [25, 1009, asText], // text
  [1042, 1014, asText], // char(n)
  [1043, 1015, asText], // varchar
  [1082, 1182, asText], // date
  [1700, 1231, asText], // numeric
  [2950, 2951, asText], // uuid
];

type Entry = string | null | Entry[];

/** Parses text[]; the declared type of getTypeParser omits arrays. */
const splitArray = (pg.types.getTypeParser as (oid: number) => (text: string) => Entry[])(1009);

const parsedEach = (entries: Entry[], parse: Parse): unknown[] =>
  entries.map((entry) => (Array.isArray(entry) ? parsedEach(entry, parse) : entry === null ? null : parse(entry)));

const parsers = new Map<number, Parse>(
  types.flatMap(([oid, arrayOid, parse]): [number, Parse][] => [
    [oid, parse],
    [arrayOid, (text) => parsedEach(splitArray(text), parse)],
  ]),
);

/** Column types: whole cents as numbers, calendar days as `YYYY-MM-DD`. */
export const columnTypes = { getTypeParser: (oid: number): Parse => parsers.get(oid) ?? asText };
