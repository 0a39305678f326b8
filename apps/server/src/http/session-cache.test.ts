import { expect, test } from 'vitest';
import type { Identity } from '#caller.ts';
import { cacheSessions } from './session-cache.ts';

function aMemory() {
  let now = 0;
  let valid = true;
  const asked: string[] = [];
  const verify = cacheSessions(
    async (token): Promise<Identity | undefined> => {
      asked.push(token);
      if (token === 'broken') throw new Error('the database is unavailable');
      return valid ? { uid: token, email: `${token}@example.com` } : undefined;
    },
    () => now,
  );
  return {
    asked,
    read: (token = 'robin') => verify(token, { readsOnly: true }),
    change: (token = 'robin') => verify(token),
    wait: (ms: number) => {
      now += ms;
    },
    end: () => {
      valid = false;
    },
  };
}

test('calls that only read ask once a second, also when they come at the same moment', async () => {
  const { read, asked, wait } = aMemory();
  await Promise.all([read(), read(), read()]);
  wait(999);
  expect(await read()).toMatchObject({ uid: 'robin' });
  expect(asked).toHaveLength(1);
  wait(1);
  await read();
  expect(asked).toHaveLength(2);
});

test('a call that changes something always asks, and a session it finds ended is ended for reading too', async () => {
  const { read, change, end } = aMemory();
  await read();
  end();
  expect(await read()).toMatchObject({ uid: 'robin' });
  expect(await change()).toBeUndefined();
  expect(await read()).toBeUndefined();
});

test('neither a refusal nor a failure is remembered, and one token says nothing about another', async () => {
  const { read, asked } = aMemory();
  await expect(read('broken')).rejects.toThrow('unavailable');
  await expect(read('broken')).rejects.toThrow('unavailable');
  await read('robin');
  await read('kim');
  expect(asked).toEqual(['broken', 'broken', 'robin', 'kim']);
});
