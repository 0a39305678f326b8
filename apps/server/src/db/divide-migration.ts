import { bucketTables, formerBucketTables, referenceTables, sharedTables } from './table-homes.ts';

/** Where an object is: in control, in every bucket, outside the buckets of every further server. */
export interface Home {
  control: boolean;
  bucket: boolean;
  server: boolean;
}

/** Homes of relations and routines by name. */
export type Homes = Map<string, Home>;

const control: Home = { control: true, bucket: false, server: false };
const bucket: Home = { control: false, bucket: true, server: false };
/** Routines that join a bucket with control: only where both are on one server. */
const bucketBesideControl: Home = { control: false, bucket: true, server: false };
const both: Home = { control: true, bucket: true, server: false };
/** Reference tables, types, and routines that need no table of control's. */
const everyServer: Home = { control: true, bucket: false, server: true };

const homesOf = (names: string[], home: Home) => names.map((name) => [name, home] as const);

const ofTables: Homes = new Map([
  ...homesOf([...bucketTables, ...formerBucketTables], bucket),
  ...homesOf(sharedTables, both),
  ...homesOf(referenceTables, everyServer),
]);

const isOfBucketAlone = (home: Home | undefined) => home?.bucket && !home.control;
const isOfControlAlone = (home: Home | undefined) => home?.control && !home.bucket && !home.server;
const needsControl = (home: Home | undefined) => home === bucketBesideControl || isOfControlAlone(home);

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

/** Kinds of which there is one for all buckets of a server. */
const ofServer = /^(?:create|alter|drop) (?:type|extension|domain|sequence)\b/i;
const ofControl = /^(?:create|alter|drop) schema\b/i;

const changesRows = /^(?:insert|update|delete) /i;
/** One of a reference table that calls a routine of control's is not made where only copies are. */
const isTrigger = /^create (?:constraint )?trigger /i;
const isCode = /^create (?:or replace )?(?:function|view) /i;

const created =
  /^create (?:or replace )?(?:unlogged )?(?:(?:unique )?index (?:concurrently )?|function |view |table )(?:if not exists )?(\w+)(?![\w.])/i;
const renamed = /^alter (?:table|index|view|function) .*\brename to (\w+)/is;

/** Returns the home of a statement: that of its object, else of what it names. */
function homeOf(statement: string, homes: Homes): Home {
  if (ofControl.test(statement)) return control;
  if (ofServer.test(statement)) return everyServer;
  const one = aboutOne.map((pattern) => pattern.exec(statement)?.findLast(Boolean)).find(Boolean);
  const own = one ? (ofTables.get(one) ?? homes.get(one) ?? control) : undefined;
  const named = [...statement.matchAll(/\w+/g)].map(([word]) => ofTables.get(word) ?? homes.get(word));
  if (own === everyServer && isTrigger.test(statement) && named.some(isOfControlAlone)) return control;
  if (own && !(own.control && own.bucket && changesRows.test(statement))) return own;
  if (named.some(isOfBucketAlone)) return named.some(needsControl) ? bucketBesideControl : bucket;
  if (own && named.some(isOfControlAlone)) return control;
  if (named.some((home) => home?.bucket)) return both;
  return isCode.test(statement) && !named.some(isOfControlAlone) ? everyServer : control;
}

/** Leaves out keys to tables that only buckets have. */
const withoutSupporters = (statement: string): string =>
  statement.replaceAll(new RegExp(` references (?:${bucketTables.join('|')})\\b`, 'gi'), '');

/** A migration's statements for control and its buckets, and for a further server and its. */
export interface DividedMigration {
  control: string[];
  bucket: string[];
  server: string[];
  bucketOnServer: string[];
}

/** Divides a migration by the homes of what earlier ones made, and adds those of what it makes. */
export function divideMigration(text: string, homes: Homes): DividedMigration {
  const divided: DividedMigration = { control: [], bucket: [], server: [], bucketOnServer: [] };
  for (const statement of split(text)) {
    const bare = withoutComments(statement);
    if (bare === '') continue;
    const home = homeOf(bare, homes);
    const name = (created.exec(bare) ?? renamed.exec(bare))?.[1];
    if (name) homes.set(name, home).set(`${name}_pkey`, home);
    if (home.control) divided.control.push(home.bucket ? withoutSupporters(statement) : statement);
    if (home.server) divided.server.push(statement);
    if (home.bucket) divided.bucket.push(statement);
    if (home.bucket && home !== bucketBesideControl) divided.bucketOnServer.push(statement);
  }
  return divided;
}

/** Returns statements for one bucket: functions with rights of their owner look there, too. */
export const forBucket = (statements: string[], schema: string): string[] =>
  statements.map((statement) => statement.replaceAll('search_path = public,', `search_path = ${schema}, public,`));
