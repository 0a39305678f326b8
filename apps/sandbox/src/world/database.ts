import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { schema } from './schema.ts';

export type Value = string | number | null;

/** One SQLite file, or memory, with statements prepared once. */
export interface Db {
  all<Row>(sql: string, ...values: Value[]): Row[];
  find<Row>(sql: string, ...values: Value[]): Row | undefined;
  run(sql: string, ...values: Value[]): number;
  /** Runs all or nothing; inside another one, as its part. */
  atomically<Result>(work: () => Result): Result;
  close(): void;
}

export function openDatabase(file: string, { waitsForDisk = true } = {}): Db {
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
  const sqlite = new DatabaseSync(file);
  // One process owns the file; another one waits a little for it to go away. WAL with normal syncing loses nothing
  // when the process is killed, which is what the sandbox has to survive.
  sqlite.exec(
    `pragma busy_timeout = 3000; pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = ${waitsForDisk ? 'normal' : 'off'};`,
  );
  sqlite.exec(schema);
  const prepared = new Map<string, StatementSync>();
  let isInside = false;

  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = sqlite.prepare(sql);
    prepared.set(sql, made);
    return made;
  };

  return {
    // SQLite gives untyped rows; the statement beside the call says their shape.
    all: <Row>(sql: string, ...values: Value[]) => statement(sql).all(...values) as Row[],
    find: <Row>(sql: string, ...values: Value[]) => statement(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    atomically(work) {
      if (isInside) return work();
      isInside = true;
      sqlite.exec('begin immediate');
      try {
        const result = work();
        sqlite.exec('commit');
        return result;
      } catch (cause) {
        sqlite.exec('rollback');
        throw cause;
      } finally {
        isInside = false;
      }
    },
    close: () => sqlite.close(),
  };
}
