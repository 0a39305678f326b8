import { type Args, identifiers, insertion, Json, type Part, type Value } from './compose.ts';
import { type Session, Statement } from './statement.ts';

type Row = Record<string, unknown>;

/** The pool or an open transaction; the caller chooses. */
export interface Db {
  <Result extends readonly unknown[] = Row[]>(strings: TemplateStringsArray, ...args: Args): Statement<Result>;
  (names: string | readonly string[]): Part;
  (rows: readonly Record<string, Value>[]): Part;
  json(value: unknown): Json;
  /** Runs text as it is, which may be several statements; within another statement it is a part of that. */
  unsafe<Result extends readonly unknown[] = Row[]>(text: string): Statement<Result>;
  /** Where its statements run. */
  readonly session: Session;
}

const isNames = (first: readonly unknown[]): first is readonly string[] => typeof first[0] === 'string';

/** Makes the tag whose statements run in a session. */
export function makeTag(session: Session): Db {
  const tag = (first: string | readonly string[] | readonly Record<string, Value>[], ...args: Args) => {
    if (typeof first === 'string') return identifiers([first]);
    if ('raw' in first) return new Statement(session, first as unknown as TemplateStringsArray, args);
    return isNames(first) ? identifiers(first) : insertion(first as readonly Record<string, Value>[]);
  };
  return Object.assign(tag, {
    json: (value: unknown) => new Json(value),
    unsafe: (text: string) => new Statement(session, [text], [], false),
    session,
  }) as Db;
}
