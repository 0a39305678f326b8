import { setTimeout as pause } from 'node:timers/promises';
import { getUser } from '@sparechange/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { anApp } from '#testing/app-under-test.ts';

test.each(['ends well', 'fails'])('a handler that %s after its call was answered leaves no warning', async (how) => {
  const lines: { level: number; msg: string }[] = [];
  const loggerInstance = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const {
    promise: verified,
    resolve,
    reject,
  } = Promise.withResolvers<{ uid: string; email: string; authTime: number; issuedAt: number }>();
  const api = await anApp(
    { verifyIdToken: () => verified, edge: { watchTimes: { everyMs: 10, longestMs: 50 } } },
    { loggerInstance },
  );
  const { supporterId, uid } = await api.supporter();
  expect((await api.call(getUser, { userId: uid }, { uid })).status).toBe(503);
  const now = Math.floor(Date.now() / 1000);
  if (how === 'fails') reject(new Error(`the tokens of ${supporterId} cannot be read`));
  else resolve({ uid, email: 'robin@example.com', authTime: now, issuedAt: now });
  await pause(200);
  const problems = lines.filter(({ level, msg }) => level >= 40 && msg !== 'request failed');
  expect(problems).toEqual([]);
  await api.close();
});
