import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import type { Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type Attachment, MailDeferred, MailRefused } from '#ports/mailer.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { isAddressRefused, type SmtpMailer, type SmtpOptions, smtpMailer } from './index.ts';
import { openMailServer, type ServerOptions } from './testing/mail-server.ts';

let server: Server;
let opened: SmtpMailer | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a mailer, and a mail server for it that answers as the test says. */
async function aMailServer(asked: ServerOptions = {}, options: Partial<SmtpOptions> = {}) {
  const { mails, overheard, port, hangUp, server: listening } = await openMailServer(asked);
  server = listening;
  const timeouts = { connectMs: 500, greetingMs: 200, idleMs: 500 };
  const mailer = smtpMailer({
    url: `${asked.security === 'from the start' ? 'smtps' : 'smtp'}://localhost:${port}`,
    from: 'Sparechange <hello@sparechange.test>',
    name: 'giving.example',
    tls: 'if-offered',
    timeouts,
    ...options,
  });
  opened = mailer;
  return {
    mails,
    overheard,
    port,
    mailer,
    hangUp,
    send: (to = 'joan@example.com', id?: string, attachments: Attachment[] = []) =>
      mailer.send({ to, subject: 'Hello', text: 'Text', html: '<p>Html</p>', attachments, ...(id ? { id } : {}) }),
  };
}

test('an email arrives with both its forms', async () => {
  const { mails, send } = await aMailServer();
  await send();
  expect(mails).toHaveLength(1);
  for (const part of [
    'From: Sparechange <hello@sparechange.test>',
    'To: joan@example.com',
    'Subject: Hello',
    'Text',
    '<p>Html</p>',
  ]) {
    expect(mails[0]).toContain(part);
  }
});

test('emails go over one connection until the server ends it, and then over another', async () => {
  const { overheard, mails, send, hangUp } = await aMailServer();
  for (const to of ['a@example.com', 'b@example.com']) await send(to);
  expect(overheard.filter((line) => line.startsWith('EHLO'))).toHaveLength(1);
  hangUp();
  await send('c@example.com');
  expect(overheard.filter((line) => line.startsWith('EHLO'))).toHaveLength(2);
  expect(mails).toHaveLength(3);
});

test('a server that takes no more over a connection gets the email over another', async () => {
  const answers: Record<string, string> = {};
  const { overheard, mails, send } = await aMailServer({ answers });
  await send('a@example.com');
  answers.MAIL = '421 4.7.0 too many mails over this connection';
  const sent = send('b@example.com');
  await expect.poll(() => overheard.filter((line) => line.startsWith('MAIL'))).toHaveLength(2);
  delete answers.MAIL;
  await sent;
  expect(mails).toHaveLength(2);
});

test('the mail server is greeted by our name, not the host’s', async () => {
  const { overheard, send } = await aMailServer();
  await send();
  expect(overheard[0]).toBe('EHLO giving.example');
});

test('mail servers report to the address for it, and people still answer to the sender', async () => {
  const { overheard, mails, send } = await aMailServer({}, { bouncesTo: 'bounces@sparechange.test' });
  await send();
  expect(overheard).toContain('MAIL FROM:<bounces@sparechange.test>');
  expect(mails[0]).toContain('From: Sparechange <hello@sparechange.test>');
  await expect(send('')).rejects.toThrow(ProviderRefused);
});

test('without such an address mail servers report to the sender', async () => {
  const { overheard, send } = await aMailServer();
  await send();
  expect(overheard).toContain('MAIL FROM:<hello@sparechange.test>');
});

test('an email says that a program wrote it, so that no program answers', async () => {
  const { mails, send } = await aMailServer();
  await send();
  expect(mails[0]).toContain('Auto-Submitted: auto-generated');
  expect(mails[0]).toContain('X-Auto-Response-Suppress: All');
});

test('files go with an email, byte for byte', async () => {
  const { mails, send } = await aMailServer();
  const content = new Uint8Array([0, 13, 10, 46, 10, 255]);
  await send('joan@example.com', undefined, [{ name: 'payout.pdf', type: 'application/pdf', content }]);
  expect(mails[0]).toContain('Content-Disposition: attachment; filename=payout.pdf');
  expect(mails[0]).toContain(Buffer.from(content).toString('base64'));
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = {
  domain: 'sparechange.test',
  selector: 's2026',
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

/** Relaxed canonicalisation of a header's value (RFC 6376, 3.4.2). */
const relaxed = (value: string) =>
  value
    .replace(/\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();

/** Verifies an email's DKIM signature as a receiver does; returns the signed headers and whether both hashes hold. */
function verified(mail: string) {
  const end = mail.indexOf('\n\n');
  const headers = mail
    .slice(0, end)
    .split(/\n(?![ \t])/)
    .map((line) => ({ name: line.split(':')[0]?.toLowerCase() ?? '', value: line.slice(line.indexOf(':') + 1) }));
  const headerOf = (name: string) => headers.findLast((header) => header.name === name)?.value ?? '';
  const signature = headerOf('dkim-signature');
  const tags = new Map(signature.split(';').map((tag) => [tag.split('=')[0]?.trim(), tag.slice(tag.indexOf('=') + 1)]));
  const tag = (name: string) => (tags.get(name) ?? '').replace(/\s/g, '');
  const names = tag('h').split(':');
  const signed = [
    ...names.map((name) => `${name}:${relaxed(headerOf(name))}`),
    `dkim-signature:${relaxed(signature.replace(/(;\s*b=)[^;]*$/, '$1'))}`,
  ].join('\r\n');
  const body = mail
    .slice(end + 2)
    .split('\n')
    .map((line) =>
      line
        .replace(/^\./, '')
        .replace(/[ \t]+/g, ' ')
        .trimEnd(),
    )
    .join('\r\n')
    .replace(/(\r\n)*$/, '\r\n');
  return {
    names,
    domain: tag('d'),
    selector: tag('s'),
    isBodySigned: createHash('sha256').update(body).digest('base64') === tag('bh'),
    isSigned: createVerify('RSA-SHA256').update(signed).verify(publicKey, tag('b'), 'base64'),
  };
}

test('an email is signed by DKIM, both headers of a one-click unsubscription included', async () => {
  const { mails, mailer } = await aMailServer({}, { dkim });
  const unsubscribe = new URL(`https://giving.example/unsubscribe?token=${'a1'.repeat(90)}`);
  await mailer.send({
    id: 'a1',
    to: 'j@b.test',
    subject: 'Danke für $5',
    text: '.a  b ',
    html: '<p>é</p>',
    unsubscribe,
  });
  const { names, ...rest } = verified(mails[0] ?? '');
  expect(rest).toEqual({ domain: 'sparechange.test', selector: 's2026', isBodySigned: true, isSigned: true });
  expect(names).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id']));
  expect(names).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
  const forged = mails[0]?.replace('List-Unsubscribe-Post: List-', 'List-Unsubscribe-Post: list-') ?? '';
  expect(verified(forged).isSigned).toBe(false);
});

test('without a key an email is not signed', async () => {
  const { mails, send } = await aMailServer();
  await send();
  expect(mails[0]).not.toMatch(/^DKIM-Signature/im);
});

test('the same email sent again is known for the same by its Message-ID', async () => {
  const { mails, send } = await aMailServer();
  await send('joan@example.com', 'a1b2');
  await send('joan@example.com', 'a1b2');
  for (const mail of mails) expect(mail).toContain('Message-ID: <a1b2@sparechange.test>');
  expect(mails).toHaveLength(2);
});

test.each([
  ['an unknown mailbox', '550 5.1.1 <joan@example.com> unknown'],
  ['an unknown mailbox, without an enhanced code', '550 no such user'],
  ['an unknown mailbox, by its address alone', '550 <joan@example.com> unknown'],
  ['a mailbox that an older server does not have', "550 sorry, this user doesn't exist here"],
  ['a domain that takes no mail', '556 5.1.10 null MX'],
  ['a mailbox that is switched off', '550-5.2.1 The account of joan@example.com\r\n550 5.2.1 is disabled'],
])('%s is refused for good, and the reason names no address', async (_name, RCPT) => {
  const { send } = await aMailServer({ answers: { RCPT } });
  const error = await send().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ProviderRefused);
  expect(String(error)).not.toContain('joan@');
});

test.each([
  ['a full mailbox', { RCPT: '452 4.2.2 full' }, MailDeferred],
  ['a greylisting', { message: '451 4.7.1 try again later' }, MailDeferred],
  ['a server that closes after the recipient', { RCPT: '421 4.3.2 shutting down' }, ProviderUnavailable],
  ['a server that is closed today', { greeting: '421 not now' }, ProviderUnavailable],
  ['a server that does not want us', { greeting: '554 no service' }, ProviderUnavailable],
  ['a sender that is not taken', { MAIL: '553 not allowed' }, ProviderUnavailable],
  ['a sender that has sent enough for now', { MAIL: '450 4.7.1 slow down' }, ProviderUnavailable],
  ['a relay that is not open to us', { RCPT: '554 5.7.1 <joan@example.com>: relay access denied' }, MailRefused],
  ['a relay that says so in words', { RCPT: '550 relay not permitted for this user' }, MailRefused],
  ['a sender that has sent too much', { RCPT: '550 Domain a.test has exceeded the max emails per hour' }, MailRefused],
  ['a sender that is listed', { RCPT: '550 Blocked - see spamhaus' }, MailRefused],
  [
    'a relay that is not open to a domain',
    { RCPT: "553 sorry, that domain isn't in my list of rcpthosts" },
    MailRefused,
  ],
  ['a mailbox that is over its quota', { RCPT: '552 mailbox unavailable' }, MailRefused],
  ['a sign-in that is missing', { RCPT: '530 5.7.0 authenticate first' }, MailRefused],
  ['a sending address that is not known', { RCPT: '550 5.1.8 sender unknown' }, MailRefused],
  ['a quota that is used up', { DATA: '550 5.4.5 daily quota exceeded' }, MailRefused],
  ['a content that is not taken', { message: '554 looks like spam' }, MailRefused],
])('%s is no fault of the address and may be tried again', async (_name, answers, error) => {
  const { send } = await aMailServer({ answers });
  const failure = await send().catch((error: unknown) => error);
  expect((failure as Error).constructor).toBe(error);
  expect(String(failure)).not.toContain('joan@');
});

test('a server that says nothing is given up on in time', async () => {
  const { send } = await aMailServer({ answers: { greeting: '' } });
  await expect(send()).rejects.toThrow(ProviderUnavailable);
});

test('a server that is not there may be tried again', async () => {
  await aMailServer();
  const mailer = smtpMailer({
    url: 'smtp://127.0.0.1:1',
    from: 'a@b.test',
    name: 'b.test',
    tls: 'required',
    timeouts: { connectMs: 200 },
  });
  await expect(mailer.send({ to: 'j@b.test', subject: 's', text: 't', html: 'h' })).rejects.toThrow(
    ProviderUnavailable,
  );
});

test('an email without an address is refused for good', async () => {
  const { send } = await aMailServer();
  await expect(send('')).rejects.toThrow(ProviderRefused);
});

test('a sign-in that is refused is ours to put right', async () => {
  expect(isAddressRefused(Object.assign(new Error('535'), { code: 'EAUTH', responseCode: 535 }))).toBe(false);
  await aMailServer();
});

describe('in the clear nothing is sent', () => {
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));
  const trustIt = () => setDefaultCACertificates([...trusted, testCertificate.cert]);
  const required = { tls: 'required' } as const;

  test('to a server that offers no STARTTLS, where it is required', async () => {
    const { mails, overheard, send } = await aMailServer({}, required);
    await expect(send()).rejects.toThrow(ProviderUnavailable);
    expect(mails).toEqual([]);
    expect(overheard.join()).not.toMatch(/MAIL|RCPT|AUTH|joan/);
  });

  test.each(['STARTTLS', 'from the start'] as const)('to a server that nobody vouches for: %s', async (security) => {
    for (const tls of ['required', 'if-offered'] as const) {
      const { mails, overheard, send } = await aMailServer({ security }, { tls });
      await expect(send()).rejects.toThrow(/certificate/);
      expect(mails).toEqual([]);
      expect(overheard.join()).not.toMatch(/MAIL|RCPT|AUTH|joan/);
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test.each(['STARTTLS', 'from the start'] as const)('to one whose certificate is good: %s', async (security) => {
    trustIt();
    const { mails, overheard, send } = await aMailServer({ security }, required);
    await send();
    expect(mails).toHaveLength(1);
    expect(overheard.join()).not.toMatch(/MAIL|RCPT|AUTH|joan/);
  });

  test('also where the address asks for less', async () => {
    const { port } = await aMailServer({ security: 'STARTTLS' });
    const url = `smtp://localhost:${port}?tls.rejectUnauthorized=false&ignoreTLS=true&requireTLS=false`;
    const lax = smtpMailer({ url, from: 'a@b.test', name: 'b.test', ...required });
    const mail = { to: 'joan@example.com', subject: 's', text: 't', html: 'h' };
    await expect(lax.send(mail)).rejects.toThrow(ProviderUnavailable);
  });
});
