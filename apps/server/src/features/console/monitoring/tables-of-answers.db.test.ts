import { consoleOperations, retrieveSession } from '@sparechange/contract/console';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { bucketTables, controlTables, referenceTables, sharedTables } from '#db/table-homes.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, exampleOf, type TestOperator } from '#testing/console.ts';
import { aClearedDebit } from '#testing/money-day.ts';
import { countByTable } from './answer-changes.ts';
import { tablesOfAnswers } from './tables-of-answers.ts';

const api = ownApp({ edge: { rateLimitFactor: 0 } });
const tables = [...bucketTables, ...controlTables, ...referenceTables, ...sharedTables];
const otherSchemas = /\b(?:direct_entry|identity|pgboss)\.(\w+)/g;

let owner: TestOperator;
let subjects: Record<string, string | undefined>;
beforeAll(async () => {
  owner = await anOperator(api.db);
  const supporter = await api.supporter();
  await aClearedDebit(api, supporter, 70);
  const [debit] = await api.rows<{ reference: string }[]>`select reference from debits`;
  subjects = { clubId: supporter.clubId, reference: debit?.reference, supporterId: supporter.supporterId };
});

/** Calls an operation and returns the statements of its answer. */
async function statementsOf(operation: (typeof consoleOperations)[number]): Promise<string[]> {
  const input = Object.entries(exampleOf(operation));
  const about = Object.fromEntries(input.map(([field, value]) => [field, subjects[field] ?? value]));
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { text: string }];
    statements.push(typeof asked === 'string' ? asked : asked.text);
    return Reflect.apply(query, this, args);
  });
  const { status } = await callConsole(api.app, operation, about, owner);
  spy.mockRestore();
  expect([operation.name, status]).toEqual([operation.name, 200]);
  return statements;
}

const ofTables = consoleOperations.filter(({ name }) => tablesOfAnswers[name]);

test('every table that an answer follows is counted', async () => {
  const counted = await countByTable(api.db);
  const names = new Set([...counted.map(({ name }) => name), 'job']); // the queue creates its own when it starts
  expect(ofTables.length).toBeGreaterThan(0);
  for (const { name } of ofTables)
    expect([name, tablesOfAnswers[name]?.filter((table) => !names.has(table))]).toEqual([name, []]);
});

test.each(ofTables)('$name is named when a table that it reads changes', async (operation) => {
  expect(operation).toMatchObject({ readsOnly: true });
  expect([operation.isSlow, operation.audited]).toEqual([undefined, undefined]);
  const ofCaller = new Set(await statementsOf(retrieveSession));
  const read = (await statementsOf(operation)).filter((text) => !ofCaller.has(text)).join('\n');
  const known = tables.filter((table) => new RegExp(`(?:\\b(?:from|join)|,) +(?:public\\.)?${table}\\b`).test(read));
  const others = [...read.matchAll(otherSchemas)].map(([, table]) => table);
  const missing = [...known, ...others].filter((table) => !tablesOfAnswers[operation.name]?.includes(table ?? ''));
  expect(missing).toEqual([]);
});
