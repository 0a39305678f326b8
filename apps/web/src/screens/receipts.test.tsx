import { downloadReceipt, listReceipts, retrieveHistory } from '@sparechange/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '#ui/save-file.ts';
import { messages } from '../messages.ts';
import { aRoundUp, cdrid } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

vi.mock('#ui/save-file.ts', () => ({ saveFile: vi.fn() }));

beforeEach(() => {
  server.use(answer(retrieveHistory, { bankDataDeletedOn: null, debits: [], roundUphistory: [aRoundUp()] }));
});

const card = () => screen.findByRole('region', { name: 'Receipts' });

test('receipts are listed with their amounts, and saved as issued', async () => {
  const pdf = btoa('%PDF-1.7');
  server.use(answer(downloadReceipt, { number: '1', fileName: 'receipt-1.pdf', pdf, sha256: '0' }));
  const user = visit('/history', { isSignedIn: true });
  const [month, year] = await within(await card()).findAllByRole('listitem');
  expect(month).toHaveTextContent('Cleared in October 2026 $11.90');
  expect(year).toHaveTextContent('Cleared in financial year 2025–26 $42.85');
  expect(await card()).toHaveTextContent('A debit is on the receipt for the month it cleared.');
  await user.click(screen.getByRole('button', { name: 'Download October 2026' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalled());
  const [[bytes], file] = vi.mocked(saveFile).mock.lastCall ?? [[], {}];
  expect(new TextDecoder().decode(bytes as Uint8Array<ArrayBuffer>)).toBe('%PDF-1.7');
  expect(file).toEqual({ name: 'receipt-1.pdf', type: 'application/pdf' });
  expect(callsOf(downloadReceipt)[0]?.input).toEqual({ cdrid, kind: 'month', firstDay: '2026-10-01' });
});

test('a receipt that fails to load says so beside it', async () => {
  server.use(refuse(downloadReceipt, 503, 'unavailable'));
  const user = visit('/history', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Download financial year 2025–26' }));
  expect(await within(await card()).findByRole('alert')).toHaveTextContent('Something went wrong, please try again');
});

test.each([
  [403, 'not-allowed'],
  [503, 'unavailable'],
] as const)(
  'receipts answered with %i say so, are not requested again, and hide nothing else',
  async (status, code) => {
    server.use(refuse(listReceipts, status, code));
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    try {
      visit('/history', { isSignedIn: true });
      expect(await within(await card()).findByRole('alert')).toHaveTextContent(messages.dashboardFailed);
      expect(screen.getByRole('link', { name: 'Receipts' })).toBeVisible();
      const asked = callsOf(listReceipts).length;
      expect(asked).toBeLessThanOrEqual(2);
      await act(() => vi.advanceTimersByTimeAsync(10_000));
      expect(callsOf(listReceipts)).toHaveLength(asked);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('before the first receipt the card says when it comes', async () => {
  server.use(answer(listReceipts, { receipts: [] }));
  visit('/history', { isSignedIn: true });
  const words = 'Your first receipt will be here early in the month after your first debit has cleared.';
  expect(await screen.findByText(words)).toBeVisible();
});

test('more than three are shown when asked for', async () => {
  const receipts = ['07', '08', '09', '10'].map((month) => ({
    kind: 'month' as const,
    firstDay: `2026-${month}-01`,
    lastDay: `2026-${month}-30`,
    totalCents: 100,
    number: null,
  }));
  server.use(answer(listReceipts, { receipts }));
  const user = visit('/history', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show all 4' }));
  expect(within(await card()).getAllByRole('listitem')).toHaveLength(4);
});

test('the history is saved for a spreadsheet', async () => {
  const user = visit('/history', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Download history as CSV' }));
  const [[text], file] = vi.mocked(saveFile).mock.lastCall ?? [[], { name: '' }];
  expect(text).toContain('2026-11-03,"Card purchase 02/11 THE LITTLE MARIONETTE",4.35,0.65,Debited');
  expect(file.name).toBe('round-up-history.csv');
});
