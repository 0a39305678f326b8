import { expect, test } from 'vitest';
import { readCsv } from '#csv.ts';
import { adviceCsv } from './advice-documents.ts';
import { AdviceFacts } from './advice-repository.ts';

const advice = (reason: string): AdviceFacts =>
  AdviceFacts.parse({
    version: 2,
    club: { id: 'club', name: 'Rovers', abn: null },
    reference: 'CL0123456789ABCDEF',
    paidOn: '2026-11-25',
    days: [],
    adjustments: [{ day: '2026-11-24', kind: 'correction', cents: 71, reason }],
    supporters: 0,
    totals: { gross: 0, returned: 0, savings: 0, fees: 0, net: 71 },
    forecast: null,
  });

test.each([
  ['the club has closed', false],
  ['the club’s café has closed', true],
])('a spreadsheet reads a correction for %j', (reason, isMarked) => {
  const text = adviceCsv([advice(reason)]);
  expect(text.startsWith('\uFEFF')).toBe(isMarked);
  const [, line] = readCsv(text);
  expect(line?.cells[1]).toBe(`Correction 2026-11-24: ${reason}`);
});
