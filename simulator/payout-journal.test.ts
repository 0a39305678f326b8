import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, type Cents, cents, isoDate, negate, total } from '@sparechange/domain';
import { AdviceFacts } from '@sparechange/server/features/disbursements/remittance-advice/advice-repository.ts';
import { payoutJournal } from '@sparechange/server/features/disbursements/remittance-advice/payout-journal.ts';
import { balancesBy, type JournalProgram, journalPrograms } from '@sparechange/server/testing/journal-balances.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debianPrograms } from '../scripts/debian-programs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payout-journal-'));
});
afterAll(() => rm(folder, { recursive: true }));

const names = [
  'Riverside Rovers',
  'O\u2019Brien\u2019s "Cats"; [2026-01-01] date:2026-02-02',
  '\u65e5\u672c FC',
  '* ! | = @ {x} #y ^z',
];
const firstDay = isoDate('2026-10-20');

/** Payouts of two months to clubs with any names, each with a day taken back and a correction. */
const advices = names.map((name, at) => {
  const paidOn = addDays(firstDay, at * 9);
  const [gross, returned, adjusted] = [1_234_56 + at, 100_00, -50];
  const net = gross - returned + adjusted;
  return AdviceFacts.parse({
    version: 2,
    club: { id: 'club', name, abn: null },
    reference: `CL${String(at).padStart(16, '0')}`,
    paidOn,
    days: [
      { day: addDays(paidOn, -2), supporters: 2, gross, returned: 0, savings: 0, net: gross },
      { day: addDays(paidOn, -1), supporters: 1, gross: 0, returned, savings: 0, net: -returned },
    ],
    adjustments: [{ day: null, kind: 'correction', cents: adjusted }],
    supporters: 2,
    totals: { gross, returned, savings: 0, fees: 0, net },
    forecast: null,
  });
});

const days = { from: isoDate('2026-10-01'), to: isoDate('2026-11-30') };
const paidUntil = (month: string): Cents =>
  total(advices.filter(({ paidOn }) => paidOn.slice(0, 7) <= month).map(({ totals }) => cents(totals.net)));
const ours = Object.fromEntries(
  ['2026-10', '2026-11'].flatMap((month) => [
    [`${month} Assets:1-1110`, paidUntil(month)],
    [`${month} Income:Gifts:Round-Ups`, negate(paidUntil(month))],
  ]),
);

const found = await debianPrograms(journalPrograms);
const whyNot = found.whyNot ? ` (skipped: ${found.whyNot})` : '';
const programs = Object.keys(journalPrograms) as JournalProgram[];

test.skipIf(whyNot).each(programs)(`%s reads a club's payouts to the cent${whyNot}`, async (name) => {
  const file = join(folder, `${name}.journal`);
  await writeFile(file, payoutJournal(advices, 'SPARECHANGE', { income: 'Gifts:Round-Ups', bank: '1-1110' }, days));
  const path = found.whyNot === undefined ? found.paths[name] : '';
  expect(ours['2026-10 Assets:1-1110']).not.toBe(ours['2026-11 Assets:1-1110']);
  expect(await balancesBy[name](path, file, days)).toEqual(ours);
});
