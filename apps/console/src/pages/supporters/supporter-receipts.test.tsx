// @vitest-environment jsdom
import { downloadSupporterReceipt, listSupporterReceipts } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { SupporterReceipts } from './supporter-receipts.tsx';

signedInAs('support');

test('a receipt being downloaded is not requested again', async () => {
  const supporterId = '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001';
  const asked: string[] = [];
  vi.stubGlobal('fetch', ({ pathname }: URL) => {
    asked.push(pathname);
    return new Promise(() => {});
  });
  const receipts = [{ kind: 'month', firstDay: '2026-10-01', number: null, totalCents: 12_40 }];
  queryClient.setQueryData([listSupporterReceipts.name, 'answer', { supporterId }], { receipts });
  render(
    <QueryClientProvider client={queryClient}>
      <SupporterReceipts supporterId={supporterId} />
    </QueryClientProvider>,
  );
  const pdf = screen.getByLabelText('PDF of October 2026');
  fireEvent.click(pdf);
  const said = await screen.findByText('The file is being made.', {}, { timeout: 2_000 });
  expect(said.getAttribute('role')).toBe('status');
  fireEvent.click(pdf);
  await new Promise((turn) => setImmediate(turn)); // in which a second call would have been sent
  expect(asked.filter((path) => path.endsWith(downloadSupporterReceipt.path))).toHaveLength(1);
});
