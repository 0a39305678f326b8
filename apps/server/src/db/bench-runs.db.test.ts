import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const fileOf = (name: string) => fileURLToPath(new URL(`../../../../bench/${name}`, import.meta.url));
const bench = fileOf('main.ts');

/**
 * The figures of so small a run say nothing; the test checks that the bench still fits the schema and the use cases.
 */
test('the benchmark of the money runs, scaled down, and prints its figures as one JSON document', async () => {
  const args = [bench, '--supporters', '500', '--runs', '1'];
  const parts = await Promise.all(
    ['plan', 'ingest'].map((only) => promisify(execFile)(process.execPath, [...args, '--only', only])),
  );
  const [plan, ingest] = parts.map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
  expect(plan).toMatchObject({
    planRatio: expect.any(Number),
    rssMb: expect.any(Number),
    roundUps: 5000,
    plan: { planned: 485, skipped: { 'no consent': 5, paused: 5, 'no funding account': 5 } },
  });
  expect(ingest).toMatchObject({
    ingestRatio: expect.any(Number),
    rssMb: expect.any(Number),
    ingest: { transactions: expect.any(Number), recorded: expect.any(Number) },
    sync: { p50Ms: expect.any(Number) },
  });
});

test('an evening in small runs, and compares each part alone with all together', async () => {
  const args = [fileOf('evening.ts'), '--supporters', '100', '--latency', '5', '--parts', 'sync,run,mails'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const rates = { sync: expect.any(Number), run: expect.any(Number), mails: expect.any(Number) };
  expect(JSON.parse(stdout)).toMatchObject({ supporters: 100, togetherToAlone: rates, millionServed: rates });
});
