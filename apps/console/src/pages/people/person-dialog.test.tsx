// @vitest-environment jsdom
import { recoverPerson } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { PersonDialog } from './person-dialog.tsx';

signedInAs('owner');

test('the error of recovering somebody is not shown for removing them', async () => {
  const error = { code: 'conflict', message: 'They have no sign-in yet.', requestId: '1' };
  vi.stubGlobal('fetch', async ({ pathname }: URL) =>
    pathname.endsWith(recoverPerson.path) ? Response.json({ error }, { status: 409 }) : new Promise(() => {}),
  );
  const person = { id: 'pat', name: 'Pat', email: 'pat@example.com', status: 'active', roles: ['viewer'], clubs: [] };
  render(
    <QueryClientProvider client={queryClient}>
      <PersonDialog person={person as never} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('Recover their sign-in'));
  fireEvent.click(screen.getByText('Recover'));
  await screen.findByText('They have no sign-in yet.');
  fireEvent.click(screen.getByText('Cancel'));
  fireEvent.click(screen.getByText('Remove from the console'));
  expect(screen.queryByText('They have no sign-in yet.')).toBeNull();
});
