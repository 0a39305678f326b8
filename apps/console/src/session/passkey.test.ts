// @vitest-environment jsdom
import { addPasskey as addPasskeyOperation, beginPasskey } from '@sparechange/contract/console';
import { afterEach, expect, test, vi } from 'vitest';
import { addPasskey } from './passkey.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const operator = {
  id: '6fbe3b18-3666-462e-b277-00b014db8ff3',
  name: 'Olive',
  email: 'olive@example.com',
  roles: ['owner'],
  clubs: [],
  isByLink: false,
  hasSignIn: true,
  isConfirmed: true,
};

test('a double click makes one passkey, and another press after it makes another', async () => {
  const asked: string[] = [];
  const bytes = new Uint8Array([1]).buffer;
  const made = {
    id: 'x',
    rawId: bytes,
    type: 'public-key',
    response: { attestationObject: bytes, clientDataJSON: bytes },
    getClientExtensionResults: () => ({}),
  };
  const create = vi.fn(async () => made);
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('navigator', { credentials: { create } });
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.pathname.replace('/console/api', ''));
    const begun = { challengeId: operator.id, options: { challenge: 'AQ', user: { id: 'AQ' } } };
    return Response.json(url.pathname.endsWith(addPasskeyOperation.path) ? { operator } : begun);
  });
  const [one, other] = [addPasskey('Phone'), addPasskey('Phone')];
  expect(await one).toBe(await other);
  expect(asked).toEqual([beginPasskey.path, addPasskeyOperation.path]);
  create.mockRejectedValueOnce(new Error('given up'));
  await expect(addPasskey('Phone')).rejects.toThrow('given up');
  await addPasskey('Phone');
  expect(create).toHaveBeenCalledTimes(3);
});
