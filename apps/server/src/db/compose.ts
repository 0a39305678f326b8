import pg from 'pg';

type Scalar = string | number | bigint | boolean | null;

/** Any value of a statement's parameter. */
export type Value = Scalar | Date | Uint8Array | Json | readonly (Scalar | readonly Scalar[])[];

/** Text in a statement; it appends its own values. */
export interface Part {
  compose(values: unknown[]): string;
}

export type Args = readonly (Value | Part | readonly Part[])[];

/** A statement's text with its values. Text that is not prepared and has no values may be several statements. */
export interface Query {
  text: string;
  values: unknown[];
  isPrepared: boolean;
  /** Schemas in which its names are looked up; without it, those of the connection. */
  path?: string | undefined;
}

/** A value to be stored as jsonb. */
export class Json {
  readonly text: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

/** Quotes a name, its schema separately, as in `direct_entry.files`. */
const quoted = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');

/** Composes names of tables or columns. */
export const identifiers = (names: readonly string[]): Part => ({ compose: () => names.map(quoted).join(', ') });

/** Composes the columns and values of an `insert`. */
export const insertion = (rows: readonly Record<string, Value>[]): Part => ({
  compose: (values) => {
    const columns = Object.keys(rows[0] ?? {});
    const lists = rows.map((row) => `(${columns.map((column) => placed(row[column], values)).join(', ')})`);
    return `(${columns.map(quoted).join(', ')}) values ${lists.join(', ')}`;
  },
});

/** Composes a template's text, numbering its values from `$1`. */
export function compose(strings: readonly string[], args: Args, values: unknown[]): string {
  let text = strings[0] ?? '';
  for (const [at, arg] of args.entries()) text += composed(arg, values) + (strings[at + 1] ?? '');
  return text;
}

const isPart = (arg: unknown): arg is Part => typeof arg === 'object' && arg !== null && 'compose' in arg;

function composed(arg: Args[number], values: unknown[]): string {
  if (isPart(arg)) return arg.compose(values);
  if (Array.isArray(arg) && isPart(arg[0])) return arg.map((part: Part) => part.compose(values)).join(' ');
  return placed(arg as Value, values);
}

/**
 * Appends a value and returns its place. The type is written beside it where PostgreSQL could take the text for another
 * one: `$1 + interval '1 day'` would read an instant as an interval.
 */
function placed(value: Value | undefined, values: unknown[]): string {
  if (value === undefined || (Array.isArray(value) && value.includes(undefined)))
    throw new TypeError('A value of a statement is undefined.');
  const [sent, type] = encoded(value);
  values.push(sent);
  return `$${values.length}${type}`;
}

function encoded(value: Value): [sent: unknown, type: string] {
  if (typeof value === 'boolean') return [value ? 't' : 'f', '::boolean'];
  if (typeof value === 'bigint') return [String(value), '::bigint'];
  if (value instanceof Date) return [value.toISOString(), '::timestamptz'];
  if (value instanceof Uint8Array) return [value, '::bytea'];
  if (value instanceof Json) return [value.text, '::jsonb'];
  return [value, ''];
}
