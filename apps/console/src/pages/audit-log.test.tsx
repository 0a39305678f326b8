// @vitest-environment jsdom
import { retrieveAuditState } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import AuditLog, { actsOf, type ShownEntry, what } from './audit-log.tsx';

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
  expect(screen.getByText(`Verified to checkpoint 7, 25 Nov 2026, 11:00 am: ${words}`)).toBeTruthy();
});

test('a call and its effects are one entry with the words of each; somebody else’s act is another', () => {
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

const noted = (action: string, details: object, parts: ShownEntry[] = []): ShownEntry => ({
  ...{ id: action, at: '2026-11-25T00:00:00.000Z', actor: 'operator', by: 'Olive', action, refusal: null, parts },
  details: { ...details },
});
const ids = ['01a22832-2706-7000-8000-000000000001', '01a22832-26f2-7000-8000-000000000002'] as const;

test.each([
  [
    noted('console changeBankDetails', { input: '{"clubId":"Rovers"}' }, [
      noted('approval asked', { approval: ids[0], act: 'club_bank_details', summary: 'Bank details of Rovers' }),
      noted('bank details asked', { club: 'Rovers', change: ids[1] }),
    ]),
    'Asked for new bank details of a club: Bank details asked, Waits for a second person, club: Rovers, act: club bank details, summary: Bank details of Rovers',
    `approval: ${ids[0]}`,
  ],
  [
    noted('ops bank-statement import', { newAccount: true, words: '/srv/statements/november.csv' }),
    'ops bank-statement import /srv/statements/november.csv: newAccount: true',
    'ops bank-statement import /srv/statements/november.csv; newAccount: true',
  ],
  [noted('ops advance', { days: '26', words: '' }), 'Moved the clock by 26 days: ', 'ops advance; days: 26'],
  [
    noted('ops supporter show', { words: `supporter ${ids[0]}` }),
    'ops supporter show a supporter:  Supporter',
    `ops supporter show supporter ${ids[0]}`,
  ],
  [noted('console retryFailedJobs', { jobIds: [...ids] }), 'Retried failed jobs: ', `jobIds: ${ids.join(', ')}`],
  [
    noted('console replayWebhooks', { events: [ids[0], 'all'], of: [] }),
    'Delivered webhooks again: events: all, of: ',
    ids[0],
  ],
  [
    noted('console pauseSupporter', { supporterId: ids[0], because: 'moved' }),
    'Paused a supporter: because: moved Supporter',
    ids[0],
  ],
])('entry %# is shown without ids and exported with them', (entry, words, exported) => {
  const { container } = render(<MemoryRouter>{what.show?.(entry)}</MemoryRouter>);
  const [done, details, link] = [...container.childNodes].map(({ textContent }) => textContent);
  expect([`${done}: ${details}`, ...(link ? [link] : [])].join(' ')).toBe(words);
  expect(what.text(entry)).toContain(exported);
  for (const supporter of container.querySelectorAll('a'))
    expect(supporter.getAttribute('href')).toBe(`/supporters/${ids[0]}`);
});
