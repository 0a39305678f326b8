import { bucketTables, formerBucketTables, referenceTables, sharedTables } from './table-homes.ts';

/**
 * Where an object is: in control, in every bucket, in both; or in control for buckets to read and call, as reference tables,
 * types, and routines that need no table of control's.
 */
export type Home = 'control' | 'bucket' | 'both' | 'reference';

/** Homes of relations and routines by name. */
export type Homes = Map<string, Home>;

const homesOf = (names: string[], home: Home) => names.map((name) => [name, home] as const);

const ofTables: Homes = new Map([
  ...homesOf([...bucketTables, ...formerBucketTables], 'bucket'),
  ...homesOf(sharedTables, 'both'),
  ...homesOf(referenceTables, 'reference'),
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
const ofAll = /^(?:create|alter|drop) (?:type|extension|domain|sequence)\b/i;
const ofControl = /^(?:create|alter|drop) schema\b/i;

const changesRows = /^(?:insert|update|delete) /i;
const isCode = /^create (?:or replace )?(?:function|view) /i;

const created =
  /^create (?:or replace )?(?:unlogged )?(?:(?:unique )?index (?:concurrently )?|function |view |table )(?:if not exists )?(\w+)(?![\w.])/i;
const renamed = /^alter (?:table|index|view|function) .*\brename to (\w+)/is;

/** Returns the home of a statement: that of its object, else of the objects it names. */
function homeOf(statement: string, homes: Homes): Home {
  if (ofControl.test(statement)) return 'control';
  if (ofAll.test(statement)) return 'reference';
  const one = aboutOne.map((pattern) => pattern.exec(statement)?.findLast(Boolean)).find(Boolean);
  const own = one ? (ofTables.get(one) ?? homes.get(one) ?? 'control') : undefined;
  if (own && !(own === 'both' && changesRows.test(statement))) return own;
  const named = new Set([...statement.matchAll(/\w+/g)].map(([word]) => ofTables.get(word) ?? homes.get(word)));
  if (named.has('bucket')) return 'bucket';
  if (own && named.has('control')) return 'control';
  if (named.has('both')) return 'both';
  return isCode.test(statement) && !named.has('control') ? 'reference' : 'control';
}

/** Leaves out keys to tables that only buckets have. */
const withoutSupporters = (statement: string): string =>
  statement.replaceAll(new RegExp(` references (?:${bucketTables.join('|')})\\b`, 'gi'), '');

export interface DividedMigration {
  control: string[];
  bucket: string[];
}

/** Divides a migration by the homes of the objects that earlier ones made, and adds the homes of its own. */
export function divideMigration(text: string, homes: Homes): DividedMigration {
  const divided: DividedMigration = { control: [], bucket: [] };
  for (const statement of split(text)) {
    const bare = withoutComments(statement);
    if (bare === '') continue;
    const home = homeOf(bare, homes);
    const name = (created.exec(bare) ?? renamed.exec(bare))?.[1];
    if (name) homes.set(name, home).set(`${name}_pkey`, home);
    if (home !== 'bucket') divided.control.push(home === 'both' ? withoutSupporters(statement) : statement);
    if (home === 'bucket' || home === 'both') divided.bucket.push(statement);
  }
  return divided;
}

/** Returns statements for one bucket: functions with rights of their owner look there, too. */
export const forBucket = (statements: string[], schema: string): string[] =>
  statements.map((statement) => statement.replaceAll('search_path = public,', `search_path = ${schema}, public,`));
