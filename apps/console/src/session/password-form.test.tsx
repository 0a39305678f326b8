// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { PasswordForm } from './password-form.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const ids = ['5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001', '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0002'];

test('an authenticator that took too long to set up gets a new key; after a wrong code the key stays', async () => {
  const secrets = ['AAAABBBB', 'CCCCDDDD'];
  let begun = 0;
  let refusal: object = { message: 'The code is not right.', fields: { code: 'The code is not right' } };
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    if (!pathname.endsWith('/begin'))
      return Response.json({ error: { code: 'invalid-input', requestId: '1', ...refusal } }, { status: 400 });
    const secret = secrets[begun];
    const challengeId = ids[begun];
    begun += 1;
    return Response.json({ challengeId, secret, address: 'otpauth://totp/x', qr: { size: 21, path: 'M0 0h1v1z' } });
  });
  render(
    <QueryClientProvider client={queryClient}>
      <PasswordForm onDone={() => undefined} />
    </QueryClientProvider>,
  );
  await screen.findByText('AAAA BBBB');
  fireEvent.click(screen.getByText('Save password'));
  await screen.findByText('The code is not right');
  expect(screen.getByText('AAAA BBBB')).toBeTruthy();
  refusal = { message: 'This took too long. Please begin again.' };
  fireEvent.click(screen.getByText('Save password'));
  await screen.findByText('CCCC DDDD');
  expect(screen.getByText(/This took too long/)).toBeTruthy();
});
