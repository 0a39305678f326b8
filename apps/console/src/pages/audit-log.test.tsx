// @vitest-environment jsdom
import { retrieveAuditState } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import AuditLog, { actsOf } from './audit-log.tsx';

signedInAs('owner');

test.each([
  [1, '1 entry.'],
  [1_234_567, '1,234,567 entries.'],
])('a checkpoint over %d entries counts them in words', (entries, words) => {
  const checkpoint = { number: 7, madeAt: '2026-11-25T00:00:00.000Z', entries };
  queryClient.setQueryData([retrieveAuditState.name, 'answer', {}], { checkpoint, changedAt: null } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AuditLog />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(screen.getByText(`Checked up to checkpoint 7, 25 Nov 2026, 11:00 am: ${words}`)).toBeTruthy();
});

test('a call and what it did are one entry with the words of each, and what somebody else did is another', () => {
  const entry = (action: string, second: number, more = {}) => ({
    id: action,
    at: `2026-11-25T00:00:${String(second).padStart(2, '0')}.000Z`,
    actor: 'operator',
    by: 'Olive' as string | null,
    action,
    refusal: null,
    details: {},
    ...more,
  });
  const entries = [
    entry('operator signed out', 40),
    entry('approval asked', 12),
    entry('alarm raised', 11, { by: null }),
    entry('bank details asked', 11, { details: { club: 'Rovers' } }),
    entry('console changeBankDetails', 10, { details: { clubId: 'Rovers' } }),
    entry('operator invited', 5, { by: 'root' }),
    entry('ops console invite', 4, { by: 'root' }),
    entry('ops status', 3, { by: 'root' }),
  ];
  const shown = actsOf(entries).map(({ action, parts = [] }) => [action, ...parts.map((part) => part.action)]);
  expect(shown).toEqual([
    ['operator signed out'],
    ['alarm raised'],
    ['console changeBankDetails', 'approval asked', 'bank details asked'],
    ['ops console invite', 'operator invited'],
    ['ops status'],
  ]);
});
