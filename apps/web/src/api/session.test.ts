import { expect, test, vi } from 'vitest';

vi.unmock('./session.ts');
const observeUser = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('./firebase.ts', () => ({ observeUser }));

test('an identity SDK that cannot find the signed-in user is asked again at the next call', async () => {
  const { loadIdentity } = await vi.importActual<typeof import('./session.ts')>('./session.ts');
  observeUser.mockRejectedValueOnce(new Error('the browser keeps nothing'));
  await expect(loadIdentity()).rejects.toThrow('the browser keeps nothing');
  await expect(loadIdentity()).resolves.toBeDefined();
});
