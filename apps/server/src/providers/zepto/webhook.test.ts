import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readNotification } from './webhook.ts';

const now = new Date('2026-11-18T01:00:00Z');
const seconds = String(now.getTime() / 1_000);
const leg = {
  ref: 'D.1',
  parent_ref: 'PR.1',
  type: 'debit',
  category: 'payout',
  status: 'cleared',
  status_changed_at: '2026-11-18T00:59:00Z',
  amount: 435,
};
const bodyOf = (data: object[]) =>
  JSON.stringify({ event: { type: 'creditor_debit.cleared', at: now.toISOString() }, data });
const sign = (body: string, secret = 'secret') =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
const read = (body: string, headers: Record<string, string | undefined> = {}, at = now) =>
  readNotification(
    'secret',
    body,
    { 'split-request-id': 'id-1', 'split-signature': `${seconds}.${sign(body)}`, ...headers },
    at,
  );

test('the published example of a signature is believed', () => {
  const signature = '1514772000.f04cb05adb985b29d84616fbf3868e8e58403ff819cdc47ad8fc47e6acbce29f';
  const headers = { 'Split-Request-ID': '07f4e8c1', 'Split-Signature': signature };
  const at = new Date(1_514_772_000_000);
  const body = 'full payload of the request';
  expect(readNotification('1234', body, headers, at)).toMatchObject({
    id: '07f4e8c1',
    outcomes: [],
    endedMandates: [],
  });
  expect(readNotification('1235', body, headers, at)).toBeUndefined();
});

test('one notification tells of several debits, and of the decisive legs only', () => {
  const legs = [
    leg,
    { ...leg, ref: 'C.1', type: 'credit' },
    { ...leg, ref: 'D.2', parent_ref: 'PR.2', status: 'returned' },
  ];
  expect(read(bodyOf(legs))).toMatchObject({
    id: 'id-1',
    outcomes: [
      { providerRef: 'PR.1', state: 'cleared' },
      { providerRef: 'PR.2', state: 'returned' },
    ],
  });
});

test.each(['cancelled', 'declined', 'expended'])('an agreement that is %s ends its mandate', (status) => {
  const rows = [
    { ref: 'A.1', contact_id: 'payer-1', status },
    { ref: 'A.2', contact_id: 'payer-2', status: 'accepted' },
  ];
  expect(read(bodyOf(rows))).toMatchObject({ id: 'id-1', outcomes: [], endedMandates: ['payer-1'] });
});

test('events about anything else carry no outcome', () => {
  const agreement = { ref: 'A.1', contact_id: 'c', status: 'accepted' };
  const request = { ref: 'PR.1', status: 'approved', payout: { amount: 435 } };
  expect(read(bodyOf([agreement, request]))).toMatchObject({ id: 'id-1', outcomes: [], endedMandates: [] });
});

test.each([
  ['another body', { 'split-signature': `${seconds}.${sign('{}')}` }],
  ['another secret', { 'split-signature': `${seconds}.${sign(bodyOf([leg]), 'other')}` }],
  ['another time', { 'split-signature': `${Number(seconds) + 1}.${sign(bodyOf([leg]))}` }],
  ['no signature', { 'split-signature': seconds }],
  ['no header', { 'split-signature': undefined }],
  ['no id', { 'split-request-id': undefined }],
])('%s is not believed', (_name, headers) => expect(read(bodyOf([leg]), headers)).toBeUndefined());

test('one of several signatures is enough', () => {
  const body = bodyOf([leg]);
  expect(read(body, { 'split-signature': `${seconds}.${'0'.repeat(64)}.${sign(body)}` })).toBeDefined();
});

test('one that is older than five minutes is not believed', () => {
  const body = bodyOf([leg]);
  expect(read(body, {}, new Date(now.getTime() + 300_000))).toBeDefined();
  expect(read(body, {}, new Date(now.getTime() + 301_000))).toBeUndefined();
});

test('what no database can keep does not get in, signed or not', () => {
  const { outcomes } = read(bodyOf([{ ...leg, parent_ref: 'PR.\0\ud800' }])) ?? {};
  expect(outcomes).toMatchObject([{ providerRef: 'PR.\ufffd\ufffd', state: 'cleared' }]);
  expect(read(bodyOf([leg]), { 'split-request-id': 'x'.repeat(201) })).toBeUndefined();
});

test('a recording under another request id is the same by what was signed, another event is not', () => {
  const [body, other] = [bodyOf([leg]), bodyOf([{ ...leg, ref: 'D.2' }])];
  const first = read(body)?.signedHash;
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(read(body, { 'split-request-id': 'id-2' })).toMatchObject({ id: 'id-2', signedHash: first });
  expect(read(other)?.signedHash).not.toBe(first);
});
