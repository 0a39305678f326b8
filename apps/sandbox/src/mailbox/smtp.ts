import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Faults, MailFaultKind } from '#control/faults.ts';
import type { Clock } from '#world/clock.ts';
import { type Db, table } from '#world/database.ts';

export interface Mail {
  id: number;
  recipient: string;
  sender: string;
  subject: string;
  text: string;
  html: string;
  /** Milliseconds since 1970, by the sandbox's clock. */
  receivedAt: number;
}

const mails = table<Mail, 'id'>('mails');

/** Lists emails, the newest first, 500 at most. */
export const listMails = (db: Db, to?: string): Mail[] =>
  mails.list(db, to === undefined ? {} : { recipient: to.toLowerCase() }, 'order by id desc limit 500');

export const findMail = (db: Db, id: number): Mail | undefined => mails.find(db, { id });

/** The answers by which a mail server refuses a sender, a recipient or a content. */
const refusals = {
  'refuse sender': { responseCode: 553, message: '5.7.1 Sender not allowed' },
  'put off': { responseCode: 451, message: '4.7.1 Try again later' },
  refuse: { responseCode: 550, message: '5.1.1 No such mailbox here' },
  'refuse relaying': { responseCode: 554, message: '5.7.1 Relay access denied' },
  'refuse content': { responseCode: 554, message: '5.7.1 Message refused as spam' },
} as const;

/** Accepts every email unless a fault was asked for, and delivers none: each recipient finds it under /mail. */
export function makeMailServer(db: Db, clock: Clock, takeFault: Faults['takeForMail']): SMTPServer {
  const refusalOf = (kinds: MailFaultKind[], to: string[] = []): Error | undefined => {
    const fault = takeFault(kinds, to);
    if (fault === undefined) return undefined;
    const { responseCode, message } = refusals[fault];
    return Object.assign(new Error(message), { responseCode });
  };
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    disableReverseLookup: true,
    onMailFrom: (_address, _session, done) => done(refusalOf(['refuse sender'])),
    onRcptTo: ({ address }, _session, done) => done(refusalOf(['put off', 'refuse', 'refuse relaying'], [address])),
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((source) => {
          const refusal = refusalOf(['refuse content'], recipients);
          return refusal ? Promise.reject(refusal) : store(db, source, recipients, clock.now());
        })
        .then(
          () => done(),
          (cause: unknown) => done(cause instanceof Error ? cause : new Error('The mail could not be read.')),
        );
    },
  });
}

async function store(db: Db, source: Buffer, recipients: string[], receivedAt: number): Promise<void> {
  const { subject = '', text = '', html = '', from } = await PostalMime.parse(source);
  const mail = { sender: from?.address ?? '', subject, text, html, receivedAt };
  db.atomically(() => {
    for (const to of recipients) mails.insert(db, { recipient: to.toLowerCase(), ...mail });
  });
}

export const listenForMail = (server: SMTPServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A client may hang up half way through.
      server.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error(error);
      });
      resolve();
    });
  });

export const closeMailServer = (server: SMTPServer): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));
