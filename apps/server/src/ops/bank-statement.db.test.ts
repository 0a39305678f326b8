import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const ops = opsOn(() => api.database);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ops-bank-statement-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function aFile(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

test('a preview is printed and books nothing; the import books what it said', async () => {
  const file = await aFile('one.csv', 'date,amount,description\n2026-11-20,1.50,DEPOSIT\n2026-11-21,-0.50,FEE\n');
  expect(await ops('bank-statement', 'import', file, '--preview')).toEqual({
    code: 0,
    said: `CSV, trust account (new), Fri 20 Nov 2026 to Sat 21 Nov 2026
opening balance not stated, closing balance not stated
2 lines: 2 new, of which 0 would match, 0 known
2026-11-20           $1.50  new           DEPOSIT
2026-11-21          -$0.50  new           FEE
Nothing was booked.
`,
  });
  expect((await ops('bank-statement', 'list')).said).toContain('0 lines open');
  expect((await ops('bank-statement', 'import', file)).said).toContain('2 lines, 2 new');
  expect((await ops('bank-statement', 'import', file, '--preview')).said).toContain('2 lines: 0 new');
});

test('columns that nobody knows are refused with the page that asks for them', async () => {
  const file = await aFile('unknown.csv', 'Tag,Wert,Text\n2026-11-20,1.50,DEPOSIT\n');
  for (const options of [[], ['--preview']]) {
    const { code, said } = await ops('bank-statement', 'import', file, ...options);
    expect(code).toBe(1);
    expect(said).toContain('Or open the file on the console’s page Reconciliation: it asks once which column is which');
  }
  const narrow = await aFile('narrow.csv', 'a,b\n1,2\n');
  expect((await ops('bank-statement', 'import', narrow)).said).not.toContain('Reconciliation');
});

test('an import is listed with its id, taken back by it, and imported again', async () => {
  const file = await aFile('two.csv', 'date,amount,description\n2026-11-22,7.50,MORE\n');
  const { said } = await ops('bank-statement', 'import', file);
  const [, id = ''] = /take-back (\S+)/.exec(said) ?? [];
  expect((await ops('bank-statement', 'imports')).said).toContain(`two.csv: done, 1 line, 1 new, take back by ${id}`);
  const takenBack = '1 line of trust account taken back, $7.50 in all\n';
  expect(await ops('bank-statement', 'take-back', id)).toEqual({ code: 0, said: takenBack });
  expect((await ops('bank-statement', 'imports')).said).toContain('two.csv: taken back, 1 line, 1 new\n');
  expect(await ops('bank-statement', 'take-back', id)).toMatchObject({ code: 1 });
  expect((await ops('bank-statement', 'import', file)).said).toContain('1 line, 1 new');
});
