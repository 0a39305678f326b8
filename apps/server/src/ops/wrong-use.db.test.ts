import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const ops = opsOn(() => api.database);

const seeHelp = 'See: npm run -s ops -- --help\n';

test.each([
  ['statsu', `error: unknown command 'statsu' (Did you mean status?) ${seeHelp}`],
  ['status --nope', `error: unknown option '--nope' ${seeHelp}`],
  ['status extra', `error: too many arguments for 'status'. Expected 0 arguments but got 1: extra. ${seeHelp}`],
  ['jobs foo', `error: unknown command 'foo' ${seeHelp}`],
  ['payment show', `error: missing required argument 'reference' ${seeHelp}`],
  ['sync --supporter', `error: option '--supporter <supporter>' argument missing ${seeHelp}`],
  ['debit-run suspend', `error: required option '--tenant <key>' not specified ${seeHelp}`],
  ['debit-run resume --tenant nothing', 'There is no tenant nothing.\n'],
  ['debit-run --date 0000-01-03 --force', '0000-01-03 is not a day written YYYY-MM-DD.\n'],
  ['savings-run --month 0000-01', '0000-01 is not a month written YYYY-MM.\n'],
  ['ledger export', 'Give one of --journal, --ofx and --camt053.\n'],
  ['ledger export --ofx --camt053', 'Give one of --journal, --ofx and --camt053.\n'],
  ['ledger export --journal --account fees', '--account goes with --ofx or --camt053; a journal has all accounts.\n'],
  ['ledger export --journal --json', '--json goes with --journal FILE.\n'],
  ['ledger export --journal --year 2026 --to 2026-08-01', 'Give either --year, or --from and --to.\n'],
  ['ledger export --journal --year 2026', 'No day of the books is closed yet.\n'],
  ['auditors-pack books', `error: required option '--year <year>' not specified ${seeHelp}`],
  ['auditors-pack books --year 2026', 'The file must end in .zip.\n'],
  ['audit --full --changes', 'Give only one of --changes, --full and --accept-log.\n'],
])('ops %s is answered with one line', async (line, said) => {
  expect(await ops(...line.split(' '))).toEqual({ code: 1, said });
});

test.each([
  [
    ['ledger', 'correct', '--id', '', '--debit', 'fees', '--credit', 'suspense', '--amount', '1', '--reason', 'r'],
    '--id',
  ],
  [['audit', '--accept-log', ' '], '--accept-log'],
  [['supporter', 'hold', 'ann@club.example', '--reason', ''], '--reason'],
  [['supporter', 'show', ''], '<supporter>'],
  [['supporter', 'find', ''], '<text>'],
])('an empty value is refused: ops %j', async (words, name) => {
  expect(await ops(...words)).toEqual({ code: 1, said: `${name} must not be empty.\n` });
});

test('a folder that cannot be made is named, without a stack', async () => {
  const club = await aClub(api.db);
  const folder = await mkdtemp(join(tmpdir(), 'ops-wrong-use-'));
  const file = join(folder, 'a file');
  await writeFile(file, '');
  const words = ['statement', '--club', club, '--month', '2026-10', '--pack', join(file, 'packs')];
  const said = `ENOTDIR: not a directory, mkdir '${join(file, 'packs')}'\n`;
  expect(await ops(...words)).toEqual({ code: 1, said });
  await rm(folder, { recursive: true });
});
