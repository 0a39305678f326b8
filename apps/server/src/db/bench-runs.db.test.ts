import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const bench = fileURLToPath(new URL('../../../../bench/main.ts', import.meta.url));

/** The figures of so few say nothing; what is looked at is that the program still fits the schema and the use cases. */
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
