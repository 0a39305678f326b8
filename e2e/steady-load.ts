import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { getUser, setWeeklyLimit } from '@sparechange/contract';
import type { Db } from '@sparechange/server/db/connect.ts';
import { demo } from './product.ts';

const signInPath = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=fake-api-key';
const json = { 'content-type': 'application/json' };

/** Repeats calls of several concurrent callers until finished; lists those that failed. */
export async function keepCalling(home: string, db: Db) {
  const signedIn = await fetch(`${home}${signInPath}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ...demo, returnSecureToken: true }),
  });
  const { idToken, localId } = (await signedIn.json()) as { idToken: string; localId: string };
  const [supporter] = await db<{ id: string }[]>`select supporter_id as id from supporters where email = ${demo.email}`;
  const failures = new Set<string>();
  const headers = {
    apikey: 'pk_bf943cd007d5536ebe058f0357d80b8b',
    tenant: 'default',
    authorization: `Bearer ${idToken}`,
  };
  let calls = 0;
  let isOver = false;
  const call = async (name: string, path: string, body?: unknown, sentHeaders = {}) => {
    calls += 1;
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    try {
      const answer = await fetch(`${home}${path}`, { ...sent, headers: { ...(body ? json : {}), ...sentHeaders } });
      const text = await answer.text();
      if (!answer.ok) failures.add(`${name}: ${answer.status} ${text.slice(0, 70)}`);
    } catch (error) {
      failures.add(`${name}: ${String((error as Error).cause ?? error)}`);
    }
  };
  const limit = { cdrid: supporter?.id, weeklyMaximumLimit: 1000 };
  const callers = [
    () => call('get-user', `/api${getUser.path}`, { userId: localId }, headers),
    () => call('get-user', `/api${getUser.path}`, { userId: localId }, headers),
    () => call('weekly limit', `/api${setWeeklyLimit.path}`, limit, headers),
    () => call('sign-in', signInPath, demo),
    () => call('the web app', '/config.json'),
  ];
  const done = callers.map(async (next) => {
    while (!isOver) {
      await next();
      await wait(20);
    }
  });
  return {
    finish: async () => {
      isOver = true;
      await Promise.all(done);
      return { calls, failures: [...failures] };
    },
  };
}

/**
 * Makes purchases at the bank, four a second, until finished; returns their number. It fails only then, with the cause:
 * a test that fails before stops the bank, and its own error should be shown.
 */
export function keepBuying(bank: string) {
  let bought = 0;
  let isOver = false;
  let failure: unknown;
  const buy = async () => {
    while (!isOver) {
      const body = JSON.stringify({ email: demo.email, amount: '4.35', description: `KIOSK ${bought}` });
      expect((await fetch(`${bank}/control/purchases`, { method: 'POST', headers: json, body })).status).toBe(201);
      bought += 1;
      await wait(250);
    }
  };
  const buying = buy().catch((error: unknown) => {
    failure = error;
  });
  return {
    finish: async () => {
      isOver = true;
      await buying;
      if (failure) {
        const { cause = failure } = failure as Error;
        throw new Error(`Purchase ${bought + 1} failed: ${String(cause)}`, { cause });
      }
      return bought;
    },
  };
}

/**
 * Waits until all purchases are recorded and no notification is left; a job of an ended worker is resumed after a
 * minute.
 */
export async function expectAllRecorded(db: Db, bought: number): Promise<void> {
  const open = async () => {
    const [row] = await db<{ recorded: number; notifications: number; dead: number }[]>`
      select (select count(*)::int from round_ups where description like 'KIOSK%') as recorded,
        (select count(*)::int from notifications where handled_at is null) as notifications,
        (select count(*)::int from pgboss.job where name = 'dead-letters') as dead`;
    return row;
  };
  await expect.poll(open, { timeout: 240_000 }).toEqual({ recorded: bought, notifications: 0, dead: 0 });
}
