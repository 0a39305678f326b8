import * as contract from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import type { TestSupporter } from '#testing/makers.ts';

const api = ownApp();
let supporter: TestSupporter;
beforeEach(async () => {
  api.clock.setTo('2026-11-24T08:00:00Z');
  supporter = await api.supporter();
});

const run = isoDate('2026-11-25');
const kept = async () => {
  const [row] = await api.rows`
    select debit_notices_enabled as mails, (select count(*)::int from debit_skips skip where skip.supporter_id = supporter.supporter_id) as skips
    from supporters supporter where supporter_id = ${supporter.supporterId}`;
  return row;
};
const actions = async () => {
  const rows =
    await api.rows`select actor, action from audit_log where supporter_id = ${supporter.supporterId} order by id`;
  return rows.map(({ actor, action }) => `${actor} ${action}`);
};
const follow = (token: string, isSkipped = true) => api.call(contract.skipDebitByLink, { token, isSkipped });
const post = (token: string, body = 'List-Unsubscribe=One-Click') =>
  api.app.inject({
    method: 'POST',
    url: `/debit-mails/${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: body,
  });

test('the emailed link skips its run without signing in, and takes the skip back', async () => {
  const token = api.debitLinks.skipToken({ supporterId: supporter.supporterId, run });
  expect((await follow(token)).body).toEqual({ run: '2026-11-25', isSkipped: true, date: '2026-11-27' });
  expect((await follow(token)).status).toBe(200);
  expect(await kept()).toMatchObject({ skips: 1 });
  expect((await follow(token, false)).body).toEqual({ run: '2026-11-25', isSkipped: false, date: '2026-11-25' });
  expect(await kept()).toMatchObject({ skips: 0 });
  expect(await actions()).toEqual(['mailed link skipped a debit', 'mailed link no longer skips a debit']);
});

test('the link expires when its run begins', async () => {
  const token = api.debitLinks.skipToken({ supporterId: supporter.supporterId, run });
  api.clock.setTo('2026-11-24T18:59:59Z');
  expect((await follow(token)).status).toBe(200);
  api.clock.setTo('2026-11-24T19:00:00Z');
  expect((await follow(token, false)).status).toBe(409);
  expect(await kept()).toMatchObject({ skips: 1 });
});

test('a forged link does nothing, and does not reveal its supporter', async () => {
  const other = api.debitLinks.skipToken({ supporterId: supporter.supporterId, run: isoDate('2026-11-27') });
  for (const token of [
    other.replace('2026-11-27', '2026-11-25'),
    'x',
    api.debitLinks.stopToken(supporter.supporterId),
  ]) {
    expect((await follow(token)).status).toBe(404);
  }
  const none = api.debitLinks.skipToken({ supporterId: '0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604', run });
  expect((await follow(none)).status).toBe(404);
  expect(await kept()).toMatchObject({ skips: 0 });
});

test('a mail client stops the emails with one post to the address of the header', async () => {
  const token = api.debitLinks.stopToken(supporter.supporterId);
  expect((await post(token)).statusCode).toBe(204);
  expect((await post(token)).statusCode).toBe(204);
  expect(await kept()).toMatchObject({ mails: false });
  expect(await actions()).toEqual(['mailed link changed mails about debits']);
});

test('the page at that address sets the frequency, and so does the panel', async () => {
  const { supporterId: cdrid, uid } = supporter;
  const token = api.debitLinks.stopToken(cdrid);
  for (const debitNotices of ['never', 'weekly'] as const) {
    const byLink = await api.call(contract.setDebitNoticesByLink, { token, debitNotices });
    expect(byLink.status).toBe(200);
    const { body } = await api.call(contract.retrieveNextDebit, { cdrid }, { uid });
    expect(body.nextDebit).toMatchObject({ debitNotices });
  }
  const answer = await api.call(contract.setDebitNotices, { cdrid, debitNotices: 'each_debit' }, { uid });
  expect(answer.body.nextDebit).toMatchObject({ debitNotices: 'each_debit' });
  expect(await actions()).toEqual([
    'mailed link changed mails about debits',
    'mailed link changed mails about debits',
    'supporter changed mails about debits',
  ]);
});

test("a choice by one supporter's link does not change another's", async () => {
  const other = await api.supporter();
  const token = api.debitLinks.stopToken(other.supporterId);
  await api.call(contract.setDebitNoticesByLink, { token, debitNotices: 'never' });
  const input = { cdrid: supporter.supporterId, debitNotices: 'weekly' } as const;
  expect((await api.call(contract.setDebitNotices, input, { uid: other.uid })).status).toBe(403);
  expect(await kept()).toMatchObject({ mails: true });
  expect(await actions()).toEqual([]);
});

test('a post of anything else does nothing', async () => {
  for (const token of ['x', api.debitLinks.skipToken({ supporterId: supporter.supporterId, run })])
    expect((await post(token)).statusCode).toBe(404);
  expect((await post(api.debitLinks.stopToken(supporter.supporterId), 'x'.repeat(2_000))).statusCode).toBe(413);
  expect(await kept()).toMatchObject({ mails: true });
});
