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

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());

/** Writes objects as JSON and missing values as null. */
const toStored = (value: unknown): Value =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as Value);

/**
 * The rows of one table as objects: columns in camel case, those named as JSON parsed. `Generated` are the columns that the
 * database fills in.
 */
export function table<Row extends object, Generated extends keyof Row = never>(name: string, json: string[] = []) {
  let columns: string | undefined;

  const columnsIn = (db: Db): string => {
    columns ??= db
      .all<{ name: string }>(`select name from pragma_table_info('${name}')`)
      .map((column) => `${column.name} as "${camelCase(column.name)}"`)
      .join(', ');
    return columns;
  };

  const parsed = (row: Row): Row => {
    for (const column of json) Object.assign(row, { [column]: JSON.parse(String(row[column as keyof Row])) });
    return row;
  };

  const where = (wanted: Partial<Row>): string => {
    const conditions = Object.keys(wanted).map((column) => `${snakeCase(column)} is ?`);
    return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  };
  const valuesOf = (row: object): Value[] => Object.values(row).map(toStored);

  const select = (db: Db, rest: string, ...values: Value[]): Row[] =>
    db.all<Row>(`select ${columnsIn(db)} from ${name} ${rest}`, ...values).map(parsed);

  const write = (db: Db, verb: 'insert' | 'insert or replace', row: Omit<Row, Generated>): Row => {
    const given = Object.keys(row);
    const [made] = db.all<Row>(
      `${verb} into ${name} (${given.map(snakeCase).join(', ')}) values (${given.map(() => '?').join(', ')})
       returning ${columnsIn(db)}`,
      ...valuesOf(row),
    );
    if (made === undefined) throw new Error(`${name}: the row was not stored.`);
    return parsed(made);
  };

  return {
    /** Reads rows by a statement's rest, from `where` on. */
    select,
    list: (db: Db, wanted: Partial<Row>, order = ''): Row[] =>
      select(db, `${where(wanted)} ${order}`, ...valuesOf(wanted)),
    find: (db: Db, wanted: Partial<Row>, order = ''): Row | undefined =>
      select(db, `${where(wanted)} ${order} limit 1`, ...valuesOf(wanted))[0],
    insert: (db: Db, row: Omit<Row, Generated>): Row => write(db, 'insert', row),
    replace: (db: Db, row: Omit<Row, Generated>): Row => write(db, 'insert or replace', row),
    update: (db: Db, wanted: Partial<Row>, change: Partial<Row>): number =>
      db.run(
        `update ${name} set ${Object.keys(change)
          .map((column) => `${snakeCase(column)} = ?`)
          .join(', ')} ${where(wanted)}`,
        ...valuesOf(change),
        ...valuesOf(wanted),
      ),
    remove: (db: Db, wanted: Partial<Row>): number =>
      db.run(`delete from ${name} ${where(wanted)}`, ...valuesOf(wanted)),
  };
}

const settings = table<{ key: string; value: string }>('settings');

export const readSetting = (db: Db, key: string): string | undefined => settings.find(db, { key })?.value;

export const saveSetting = (db: Db, key: string, value: string): void => void settings.replace(db, { key, value });
