import pg from 'pg';

type Parse = (text: string) => unknown;

/** Parses a bigint as a number; throws RangeError beyond the safe integers. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a whole number of cents`);
  return value;
}

const keepText: Parse = (text) => text;
const parseBytea: Parse = (text) => Buffer.from(text.slice(2), 'hex');
const parseInstant: Parse = (text) => new Date(text);
const parseJson: Parse = (text) => JSON.parse(text);

/** Parsers by the OIDs of a type and of its array type. Days, decimals and all other types stay text. */
const types: [oid: number, arrayOid: number, parse: Parse][] = [
  [16, 1000, (text) => text === 't'], // boolean
  [17, 1001, parseBytea], // bytea
  [20, 1016, parseBigint], // bigint
  [21, 1005, Number], // smallint
  [23, 1007, Number], // integer
  [26, 1028, Number], // oid
  [700, 1021, Number], // real
  [701, 1022, Number], // double precision
  [114, 199, parseJson], // json
  [3802, 3807, parseJson], // jsonb
  [1114, 1115, parseInstant], // timestamp
  [1184, 1185, parseInstant], // timestamptz
  [18, 1002, keepText], // "char"
  [19, 1003, keepText], // name
  [25, 1009, keepText], // text
  [1042, 1014, keepText], // char(n)
  [1043, 1015, keepText], // varchar
  [1082, 1182, keepText], // date
  [1700, 1231, keepText], // numeric
  [2950, 2951, keepText], // uuid
];

type ArrayElement = string | null | ArrayElement[];

/** Splits an array literal into its elements; the declared type of getTypeParser omits arrays. */
const splitArray = (pg.types.getTypeParser as (oid: number) => (text: string) => ArrayElement[])(1009);

const parseElements = (elements: ArrayElement[], parse: Parse): unknown[] =>
  elements.map((element) =>
    Array.isArray(element) ? parseElements(element, parse) : element === null ? null : parse(element),
  );

const parsers = new Map<number, Parse>(
  types.flatMap(([oid, arrayOid, parse]): [number, Parse][] => [
    [oid, parse],
    [arrayOid, (text) => parseElements(splitArray(text), parse)],
  ]),
);

/** Parsers of column values: whole cents become numbers, calendar days stay `YYYY-MM-DD`. */
export const columnTypes = { getTypeParser: (oid: number): Parse => parsers.get(oid) ?? keepText };
