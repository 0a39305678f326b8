import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as contract from '@sparechange/contract';
import * as ofConsole from '@sparechange/contract/console';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { mayWrite } from '#db/run-query.ts';
import { onBehalfOf, WaitingCaller } from '#db/waiting-caller.ts';
import { anAppOnItsOwnServer } from '#testing/app-on-its-own-server.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aSupporter } from '#testing/makers.ts';
import { aWholeApp, identityKey, signUp } from '#testing/whole-app.ts';

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const { api, db, freeze, ask, close } = await anAppOnItsOwnServer((changes) =>
  aWholeApp({
    ...changes,
    verifyIdToken: async (uid) => ({
      uid,
      email: `${uid}@example.com`,
      authTime: nowSeconds(),
      issuedAt: nowSeconds(),
    }),
  }),
);
afterAll(close);
const untilReady = async () => {
  while ((await api.app.inject('/readyz')).statusCode !== 200) await pause(20);
};
beforeEach(async () => {
  await db`create table if not exists notes (id int primary key)`;
  await db`truncate notes`;
  await untilReady();
  await Promise.all(Array.from({ length: 4 }, () => db.begin((tx) => tx`select 1`))); // opens every connection
  await ask(); // the calls of this network are counted in memory from here on: what hangs is the handler
});

/** Waits until the server has done all that was sent to it, and the product all that it does with the answers. */
async function untilAllIsDone(): Promise<void> {
  await untilReady();
  for (let turn = 0; turn < 30; turn += 1) {
    await db`select from pg_stat_activity where state <> 'idle'`;
    await pause(20);
  }
}

/** Calls while the database hangs, lets it resume and returns the status. */
async function callWhileItHangs(call: () => Promise<number>): Promise<number> {
  const goOn = await freeze();
  try {
    return await call();
  } finally {
    await goOn();
    await untilAllIsDone();
  }
}

const donation = async () => {
  const supporter = await aSupporter(db);
  return {
    call: async () => {
      const values = { amount: 20, cdrid: supporter.supporterId };
      const headers = { 'idempotency-key': randomUUID() };
      return (await api.call(contract.donateNow, { values }, { uid: supporter.uid, headers })).status;
    },
    done: () => db.of(supporter.supporterId)`select from debits where supporter_id = ${supporter.supporterId}`,
  };
};
const resetMail = async () => {
  const email = `${randomUUID()}@example.com`;
  await signUp(api, email);
  return {
    call: async () => {
      const url = `/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=${identityKey}`;
      return (await api.app.inject({ method: 'POST', url, payload: { requestType: 'PASSWORD_RESET', email } }))
        .statusCode;
    },
    done: () => db`
      select from identity.oob_codes where email = ${email} union all select from identity.oob_requests where email = ${email}`,
  };
};
const invitation = async () => {
  const owner = await anOperator(db);
  const email = `${randomUUID()}@example.com`;
  const input = { email, name: 'Robin', roles: ['viewer'], clubIds: [] };
  return {
    call: async () => (await callConsole(api.app, ofConsole.invitePerson, input, owner)).status,
    done: () => db`select from operators where email = ${email}`,
  };
};
const mailedLink = async () => {
  const { supporterId } = await aSupporter(db);
  return {
    call: async () => {
      const token = api.debitLinks.stopToken(supporterId);
      return (await api.app.inject({ method: 'POST', url: `/debit-mails/${token}` })).statusCode;
    },
    done: () => db.of(supporterId)`
      select from supporters where supporter_id = ${supporterId} and not debit_notices_enabled`,
  };
};

test.each([
  ['a donation', donation],
  ['a mail for a new password', resetMail],
  ['an invitation to the console', invitation],
  ['a choice by a mailed link', mailedLink],
])(
  '%s that was answered 503 while the database hung is dropped, and done when it is asked for again',
  async (_what, make) => {
    const { call, done } = await make();
    const before = (await done()).length;
    expect(await callWhileItHangs(call)).toBe(503);
    expect(await done()).toHaveLength(before);
    expect(await call()).toBeLessThan(300);
    while ((await done()).length === before) await pause(20);
  },
);

/** Refuses a caller and waits for the answer. */
const refuse = (caller: WaitingCaller) => new Promise<void>((answered) => caller.refuse(answered));
const isRefused = (work: Promise<unknown>) =>
  work.then(
    () => false,
    () => true,
  );

test('a commit that is on its way when its caller is refused comes too late for a server that had hung', async () => {
  const caller = new WaitingCaller(60_000);
  const { promise: hung, resolve } = Promise.withResolvers<() => Promise<void>>();
  const work = onBehalfOf(caller, () =>
    db.begin(async (tx) => {
      await tx`insert into notes values (1)`;
      resolve(await freeze());
    }),
  );
  const failed = isRefused(work);
  const goOn = await hung;
  await new Promise(setImmediate); // now the commit is on its way
  await refuse(caller);
  await goOn();
  expect(await failed).toBe(true);
  await untilAllIsDone();
  expect(await db`select from notes`).toHaveLength(0);
});

test('a commit that the server comes to in time is made, and answered so', async () => {
  const caller = new WaitingCaller(60_000);
  const { promise: hung, resolve } = Promise.withResolvers<() => Promise<void>>();
  let answer = '';
  const served = onBehalfOf(caller, () =>
    db.begin(async (tx) => {
      await tx`insert into notes values (1)`;
      resolve(await freeze());
    }),
  ).then(() => (answer ||= 'served'));
  const goOn = await hung;
  await new Promise(setImmediate); // now the commit is on its way
  const refused = refuse(caller).then(() => (answer ||= 'refused'));
  await goOn();
  await Promise.all([served, refused]);
  expect(answer).toBe('served');
  expect(await db`select from notes`).toHaveLength(1);
});

test('a single statement is not committed either, nor one that waits for a connection', async () => {
  const caller = new WaitingCaller(60_000);
  const goOn = await freeze();
  const writes = onBehalfOf(caller, () =>
    Array.from({ length: 8 }, (_, id) => isRefused(db`insert into notes values (${id})`.execute())),
  );
  await refuse(caller);
  expect(await Promise.all(writes)).toEqual(Array(8).fill(true));
  await goOn();
  await untilAllIsDone();
  expect(await db`select from notes`).toHaveLength(0);
});

test('functions that change rows are known as such where they are called', async () => {
  const functions = await db<{ name: string }[]>`
    select distinct proname as name from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname in ('public', 'identity', 'bucket_00') and prorettype <> 'trigger'::regtype and prokind in ('f', 'p')
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      and prosrc ~* '\\m(insert|update|delete|create|alter|drop)\\M'
      and not exists (select from pg_proc other where other.oid <> pg_proc.oid and position(pg_proc.proname || '(' in other.prosrc) > 0)
    order by 1`;
  const names = functions.map(({ name }) => name);
  expect(names.filter((name) => !mayWrite(`select ${name}()`))).toEqual([]);
});
