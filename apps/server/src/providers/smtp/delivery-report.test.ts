import { expect, test } from 'vitest';
import { readFailedDeliveries } from './delivery-report.ts';
import { aReport } from './testing/a-report.ts';

const mailId = 'a1'.repeat(20);
const read = (message: string) => readFailedDeliveries(Buffer.from(message));

test('a report of a mailbox that is not there names mail, addresses, status and words', async () => {
  expect(await read(aReport({ mailId, to: 'joan@example.com' }))).toEqual([
    {
      mailId,
      addresses: ['joan@example.com'],
      status: '5.1.1',
      reason: expect.stringMatching(/^5\.1\.1 smtp; 550 5\.1\.1 .*\(address\).* Recipient address rejected/),
    },
  ]);
});

test.each([
  ['the headers of the mail alone', { original: 'text/rfc822-headers' }],
  ['letters beyond ASCII', { status: 'message/global-delivery-status', original: 'message/global' }],
  ['a status with words behind it', { code: '5.1.1 (bad destination mailbox address)' }],
  ['an action in capitals', { action: 'FAILED' }],
  ['lines that end as on Unix', { lineEnd: '\n' }],
])('a report with %s is read alike', async (_name, parts) => {
  expect(await read(aReport({ mailId, to: 'joan@example.com', ...parts }))).toMatchObject([
    { mailId, status: '5.1.1' },
  ]);
});

test('the address that we wrote to counts, as does the address that it was forwarded to', async () => {
  const report = aReport({ mailId, to: 'joan@example.com', finalTo: 'joan@elsewhere.example' });
  expect(await read(report)).toMatchObject([{ addresses: ['joan@example.com', 'joan@elsewhere.example'] }]);
});

test('of several recipients those that failed are named', async () => {
  const others = [
    ['Final-Recipient: rfc822; late@example.com', 'Action: delayed', 'Status: 4.4.1'],
    ['Final-Recipient: rfc822; other@example.com', 'Action: failed', 'Status: 5.2.2'],
  ];
  const failed = await read(aReport({ mailId, to: 'joan@example.com', others }));
  expect(failed.map(({ addresses }) => addresses)).toEqual([['joan@example.com'], ['other@example.com']]);
});

const reply = [
  'From: joan@example.com',
  'Subject: Undelivered Mail Returned to Sender',
  'Content-Type: text/plain',
  '',
  'Final-Recipient: rfc822; joan@example.com',
  'Action: failed',
  'Status: 5.1.1',
].join('\r\n');

test.each([
  ['a mail that is late', aReport({ mailId, to: 'j@b.test', action: 'delayed', code: '4.4.1' })],
  ['a mail that arrived', aReport({ mailId, to: 'j@b.test', action: 'delivered', code: '2.0.0' })],
  ['a mail that was passed on', aReport({ mailId, to: 'j@b.test', action: 'relayed', code: '2.0.0' })],
  ['a receipt', aReport({ mailId, to: 'j@b.test', type: 'disposition-notification' })],
  ['a complaint', aReport({ mailId, to: 'j@b.test', type: 'feedback-report' })],
  ['a report that somebody forwards', aReport({ mailId, to: 'j@b.test', media: 'multipart/mixed' })],
  ["another sender's mail", aReport({ mailId: 'somebody-elses', to: 'j@b.test' })],
  ['a report without an address', aReport({ mailId, to: 'nobody' })],
  ['a report without a status', aReport({ mailId, to: 'j@b.test', code: 'bad' })],
  ['a reply with the words of a report', reply],
  ['an absence', reply.replace('Subject:', 'Auto-Submitted: auto-replied\r\nSubject:')],
  ['nothing', ''],
  ['bytes of any kind', '\0\xff\r\n\r\n:\r\n'.repeat(1_000)],
])('%s is no failed delivery', async (_name, message) => {
  expect(await read(message)).toEqual([]);
});

test("no control character of the server's words is kept, and not all of a long answer", async () => {
  const [failed] = await read(aReport({ mailId, to: 'j@b.test', words: `no\0 such${' user'.repeat(1_000)}` }));
  expect(failed?.reason).toMatch(/^5\.1\.1 no such user/);
  expect(failed?.reason.length).toBeLessThanOrEqual(300);
});

test.each([
  ['parts within parts', 'Content-Type: multipart/report; report-type=delivery-status; boundary=a\r\n\r\n--a\r\n'],
  ['folded fields', 'Action: failed\r\n '],
  ['empty lines', '\r\n'],
  ['parameters', '; report-type = "'],
])('as much of %s as is read costs time in proportion', async (_name, piece) => {
  const head = 'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n';
  const message = `${head}Content-Type: message/delivery-status\r\n\r\n${piece.repeat(256_000 / piece.length)}`;
  const start = process.cpuUsage();
  expect(await read(message)).toEqual([]);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(15_000);
});
