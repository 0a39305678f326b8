import { expect, test } from 'vitest';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { opsOn } from './testing/run-ops.ts';

const api = ownApp();
const runOps = opsOn(() => api.database);

async function ops(...words: string[]) {
  const { code, said } = await runOps(...words, '--json');
  return { code, json: said.startsWith('{') ? JSON.parse(said) : undefined, said };
}

/** Queues an email that was given up after that number of attempts, just now. */
async function aGivenUpMail(failure: string, attempts = 5) {
  const { supporterId, email } = await api.supporter();
  await queueEmail(api.db.of(supporterId), {
    supporterId,
    key: failure,
    facts: { kind: 'password_changed' },
    at: api.clock.now(),
  });
  const [mail] = await api.rows<{ id: number }[]>`
    update mails set given_up_at = now(), attempts = ${attempts}, failure = ${failure} where supporter_id = ${supporterId} returning id`;
  const outbox = controlAndBuckets(api.db).indexOf(api.db.of(supporterId));
  return { supporterId, email, id: `${outbox > 0 ? `${outbox}.` : ''}${mail?.id}` };
}
const open = async () => {
  const mails = await api.rows<{ about: string }[]>`
    select supporter_id as about from mails where given_up_at is null and attempts = 0`;
  return mails.map(({ about }) => about).toSorted();
};

test('an operator lists given-up emails and sends them after all, each safely twice', async () => {
  expect(await ops('mails', 'list')).toMatchObject({ code: 0, json: { mails: [] } });
  const [one, other] = [await aGivenUpMail('554 looks like spam'), await aGivenUpMail('451 try again later')];
  const bounced = await aGivenUpMail('550 no such mailbox', 1);
  await aGivenUpMail('the account was closed', 0);
  await api.rows`
    insert into mail_bounces (supporter_id, email, bounced_at, reason)
    values (${bounced.supporterId}, ${bounced.email}, now(), '550')`;
  const untried = await aGivenUpMail('the address bounced', 0);
  const { json, said } = await ops('mails', 'list');
  expect(json.mails).toHaveLength(4);
  expect(said).not.toContain('@');
  expect((await runOps('mails', 'list')).said).toContain(
    `supporter ${one.supporterId}  5 attempts: 554 looks like spam`,
  );

  for (const retried of [1, 0]) expect((await ops('mails', 'retry', one.id)).json).toEqual({ retried });
  expect((await ops('mails', 'retry', '--all')).json).toEqual({ retried: 2 });
  expect(await open()).toEqual([one, other, untried].map(({ supporterId }) => supporterId).toSorted());

  expect((await ops('mails', 'retry', bounced.id)).json).toEqual({ retried: 1 });
  expect(await api.rows`select 1 from mail_bounces`).toEqual([]);
  expect((await ops('mails', 'list')).json).toEqual({ mails: [] });
});

test('an email that was sent is never sent again, and an invalid id is refused in a sentence', async () => {
  const { id, supporterId } = await aGivenUpMail('554 looks like spam');
  await api.rows`update mails set sent_at = now(), given_up_at = null where supporter_id = ${supporterId}`;
  expect(await ops('mails', 'retry', id)).toMatchObject({ code: 0, json: { retried: 0 } });
  const unsaid = ['retry', 'retry ann', `retry ${id} --all`];
  for (const words of unsaid)
    expect(await ops('mails', ...words.split(' '))).toMatchObject({
      code: 1,
      said: expect.stringContaining('Give the id of an email'),
    });
});
