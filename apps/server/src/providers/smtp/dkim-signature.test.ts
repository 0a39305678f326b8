import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import { expect, test } from 'vitest';
import { dkimSignature } from './dkim-signature.ts';
import { wholeMessage } from './whole-message.ts';

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const headerFieldNames = [
  ...['From', 'Reply-To', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':');
const dkim = { domain: 'giving.example', selector: 's2026', key };
/** Signs in the form that all receivers know. */
const nodemailers = new DKIM({
  domainName: dkim.domain,
  keySelector: dkim.selector,
  privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  headerFieldNames,
});

const mails = {
  'one-click unsubscription': {
    subject: 'Danke für $5',
    text: '.a  b \n\n\n',
    html: '<p>é</p>',
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<https://giving.example/unsubscribe?token=${'a1'.repeat(90)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  },
  'long lines and blanks': { subject: 'x'.repeat(300), text: `a\t \t b  \n ${' word'.repeat(300)}\n\t\n`, html: '' },
  'a file': {
    subject: '小龍',
    text: 'Text',
    html: '<p>Html</p>',
    attachments: [{ filename: 'payout.pdf', content: Buffer.from([0, 13, 10, 46, 10, 255]) }],
  },
  'no text at all': { subject: 'Empty', text: '' },
  'blank text': { subject: 'Blank', text: ' \n \n' },
} satisfies Record<string, object>;

test.each(Object.entries(mails))('an email with %s is signed byte for byte as Nodemailer does', async (_what, mail) => {
  const composer = new MailComposer({ from: 'Sparechange <hello@giving.example>', to: 'joan@example.com', ...mail });
  const message = await composer.compile().build();
  const signed = await buffer(nodemailers.sign(message));
  expect(Buffer.concat([Buffer.from(await dkimSignature(message, dkim)), message]).toString('latin1')).toBe(
    signed.toString('latin1'),
  );
  expect(await buffer(wholeMessage(Readable.from([message.subarray(0, 9), message.subarray(9)]), dkim))).toEqual(
    signed,
  );
});

test('a message passes in one piece, and its failure is passed on', async () => {
  const pieces = Array.from({ length: 30 }, (_, at) => Buffer.from(`${at}\r\n`));
  const passed: Buffer[] = [];
  for await (const piece of wholeMessage(Readable.from(pieces), undefined)) passed.push(piece as Buffer);
  expect(passed).toEqual([Buffer.concat(pieces)]);
  const failing = new Readable({ read: () => failing.destroy(new Error('gone')) });
  await expect(buffer(wholeMessage(failing, undefined))).rejects.toThrow('gone');
});
