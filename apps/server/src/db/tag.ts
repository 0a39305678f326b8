import { type Args, identifiers, insertion, Json, type Part, type Value } from './compose.ts';
import { bucketScopes, controlScope, type Scope, scopeOf } from './scope.ts';
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
  /** Returns the same over the tables of a supporter's bucket. */
  of(supporterId: string): Db;
  /** Returns the same over every bucket's tables, in their order. */
  inBuckets(): Db[];
  /** Returns the same over control tables. */
  inControl(): Db;
  /** Where its statements run. */
  readonly session: Session;
  readonly scope: Scope;
}

const isNames = (first: readonly unknown[]): first is readonly string[] => typeof first[0] === 'string';

/** Throws an error again with the search path under which it came, for the log. */
function rethrow(error: unknown, searchPath: string): never {
  throw error instanceof Error ? Object.assign(error, { searchPath }) : error;
}

/** Runs everything of a session with a search path. */
const within = (session: Session, path: string): Session => ({
  run: (query) => session.run({ ...query, path }).catch((error: unknown) => rethrow(error, path)),
  openTransaction: async () => {
    const { run, close } = await session.openTransaction();
    return { run: (query) => run({ ...query, path }).catch((error: unknown) => rethrow(error, path)), close };
  },
});

/** Makes the tag whose statements run in a session. */
export function makeTag(whole: Session, scope: Scope): Db {
  const session = scope.path === undefined ? whole : within(whole, scope.path);
  const tag = (first: string | readonly string[] | readonly Record<string, Value>[], ...args: Args) => {
    if (typeof first === 'string') return identifiers([first]);
    if ('raw' in first) return new Statement(session, first as unknown as TemplateStringsArray, args);
    return isNames(first) ? identifiers(first) : insertion(first as readonly Record<string, Value>[]);
  };
  const turnTo = (other: Scope) => makeTag(whole, other);
  return Object.assign(tag, {
    json: (value: unknown) => new Json(value),
    unsafe: (text: string) => new Statement(session, [text], [], false),
    of: (supporterId: string) => turnTo(scopeOf(supporterId, scope)),
    inBuckets: () => bucketScopes(scope).map(turnTo),
    inControl: () => turnTo(controlScope(scope)),
    session: whole,
    scope,
  }) as Db;
}
