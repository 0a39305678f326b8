// @vitest-environment jsdom
import { retrieveAuditState } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import AuditLog from './audit-log.tsx';

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
