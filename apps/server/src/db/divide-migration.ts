import { bucketTables, formerBucketTables, sharedTables } from './table-homes.ts';

/** Where an object is: in control, in every bucket, or in both. */
export interface Home {
  control: boolean;
  bucket: boolean;
}

/** Homes of relations and routines by name. */
export type Homes = Map<string, Home>;

const control: Home = { control: true, bucket: false };
const bucket: Home = { control: false, bucket: true };
const both: Home = { control: true, bucket: true };

const ofTables: Homes = new Map([
  ...[...bucketTables, ...formerBucketTables].map((name) => [name, bucket] as const),
  ...sharedTables.map((name) => [name, both] as const),
]);

/** Splits at semicolons outside comments, texts and bodies of functions. */
const split = (text: string): string[] =>
  text.match(/(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g) ?? [];

const withoutComments = (statement: string): string => statement.replaceAll(/--[^\n]*/g, '').trim();

const table = String.raw`(?:if (?:not )?exists )?(?:only )?([\w.]+)`;

/** Statements about one object, whose name decides. */
const aboutOne = [
  new RegExp(`^create table ${table} partition of (\\w+)`, 'i'),
  new RegExp(`^(?:create|alter|drop) (?:unlogged )?table ${table}`, 'i'),
  new RegExp(`^create (?:unique )?index .*?\\bon ${table}`, 'is'),
  new RegExp(`^(?:create|drop) (?:constraint )?trigger .*?\\bon ${table}`, 'is'),
  new RegExp(`^(?:alter|drop) (?:index|view|function) (?:concurrently )?${table}`, 'i'),
  /^comment on (?:table|column|index) (\w+)/i,
  new RegExp(`^(?:insert into|update|delete from) ${table}`, 'i'),
];

/** Kinds of which there is one for all buckets. */
const ofControl = /^(?:create|alter|drop) (?:type|schema|extension|domain|sequence)\b/i;

const changesRows = /^(?:insert|update|delete) /i;

const created =
  /^create (?:or replace )?(?:unlogged )?(?:(?:unique )?index (?:concurrently )?|function |view |table )(?:if not exists )?(\w+)/i;

/** Returns the home of a statement: that of its object, else of what it names. */
function homeOf(statement: string, homes: Homes): Home {
  if (ofControl.test(statement)) return control;
  const one = aboutOne.map((pattern) => pattern.exec(statement)?.findLast(Boolean)).find(Boolean);
  const own = one ? (ofTables.get(one) ?? homes.get(one) ?? control) : undefined;
  if (own && !(own.control && own.bucket && changesRows.test(statement))) return own;
  const named = [...statement.matchAll(/\w+/g)].map(([word]) => ofTables.get(word) ?? homes.get(word));
  if (named.some((home) => home?.bucket && !home.control)) return bucket;
  if (own && named.some((home) => home?.control && !home.bucket)) return control;
  return named.some((home) => home?.bucket) ? both : control;
}

/** Leaves out keys to tables that only buckets have. */
const withoutSupporters = (statement: string): string =>
  statement.replaceAll(new RegExp(` references (?:${bucketTables.join('|')})\\b`, 'gi'), '');

/** A migration's statements for control and those for each bucket. */
export interface DividedMigration {
  control: string[];
  bucket: string[];
}

/** Divides a migration by the homes of what is there already and of what it makes. */
export function divideMigration(text: string, present: Homes): DividedMigration {
  const homes = new Map(present);
  const divided: DividedMigration = { control: [], bucket: [] };
  for (const statement of split(text)) {
    const bare = withoutComments(statement);
    if (bare === '') continue;
    const home = homeOf(bare, homes);
    const name = created.exec(bare)?.[1];
    if (name) homes.set(name, home);
    if (home.control) divided.control.push(home.bucket ? withoutSupporters(statement) : statement);
    if (home.bucket) divided.bucket.push(statement);
  }
  return divided;
}

/** Returns statements for one bucket: functions with rights of their owner look there, too. */
export const forBucket = (statements: string[], schema: string): string[] =>
  statements.map((statement) => statement.replaceAll('search_path = public,', `search_path = ${schema}, public,`));
