// @vitest-environment jsdom
import { listMails, type OutboxMail, sendMailAgain } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { MailList } from './mail-list.tsx';

signedInAs('support');

const at = '2026-11-25T00:00:00.000Z';
const aMail = (id: number, status: OutboxMail['status']) => ({
  ...{
    id: String(id),
    recipient: 'supporter',
    supporterId: null,
    address: `person-${id}@example.com`,
    about: 'welcome',
  },
  ...{ status, queuedAt: at, endedAt: at, attempts: 9, failure: null },
});
const mails = [
  ...[1, 2, 3].map((id) => aMail(id, 'given_up')),
  ...[4, 5].map((id) => aMail(id, 'bounced')),
  aMail(6, 'sent'),
  aMail(7, 'waiting'),
];

test('failed mails are selected together, sent again once each, and those left out are named', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: URL, { body }: RequestInit) => {
    const rows = sent.length > 0 ? [] : mails; // as with a filter for failed ones, while they are sent
    if (url.pathname.endsWith(listMails.path)) return Response.json({ rows, next: null, silentServers: [] });
    if (!url.pathname.endsWith(sendMailAgain.path)) return new Promise<never>(() => {});
    const { mailId } = JSON.parse(String(body));
    sent.push(mailId);
    await queryClient.invalidateQueries({ queryKey: [listMails.name] });
    const error = { code: 'conflict', message: 'It is already waiting, or was sent again today.', requestId: '1' };
    return mailId === '4' ? Response.json({ error }, { status: 409 }) : Response.json({});
  });
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <MailList filter={{}} empty="None." />
      </QueryClientProvider>
    </MemoryRouter>,
  );
  await screen.findAllByText('person-1@example.com');
  expect(screen.getAllByRole('checkbox')).toHaveLength(6); // of the failed ones, and of all
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Welcome to person-2@example.com' }));
  expect(screen.getByText('1 selected')).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByText('5 selected')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Send again' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Send 5 mails again?' }));
  expect(sent).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Send again' }));
  const result = within(await screen.findByRole('dialog', { name: 'Send again' }));
  expect(sent).toEqual(['1', '2', '3', '4', '5']);
  expect(result.getByText('4 mails sent again.')).toBeTruthy();
  expect(result.getByText(/1 left out/).textContent).toContain(
    'Welcome to person-4@example.com: It is already waiting, or was sent again today.',
  );
  fireEvent.click(result.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('5 selected')).toBeNull();
  expect(screen.getByText('None.')).toBeTruthy();
});
