import { createTransport } from 'nodemailer';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { Mail, Mailer } from '#ports/mailer.ts';
import { withoutSecrets } from '#providers/outgoing/without-secrets.ts';
import { isPermanent, type SmtpFailure } from './permanent.ts';

/** Where the mail server is: one address (`smtps://user:pass@host:465`), or its parts. */
export type SmtpServer =
  | { url: string }
  | { host: string; port?: number; secure?: boolean; user?: string | undefined; pass?: string | undefined };

export type SmtpOptions = SmtpServer & {
  /** "Sparechange <hello@example.org>" */
  from: string;
  timeouts?: { connectMs?: number; greetingMs?: number; idleMs?: number };
};

function connectionOf(server: SmtpServer) {
  if ('url' in server) return { url: server.url };
  const { host, port, secure, user, pass } = server;
  return {
    host,
    ...(port === undefined ? {} : { port }),
    ...(secure === undefined ? {} : { secure }),
    ...(user ? { auth: { user, pass: pass ?? '' } } : {}),
  };
}

const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

/** Mail through any SMTP server; each mail opens a connection of its own, so that none is left open. */
export function smtpMailer(options: SmtpOptions): Mailer {
  const { from, timeouts = {} } = options;
  const { connectMs = 10_000, greetingMs = 10_000, idleMs = 20_000 } = timeouts;
  const transport = createTransport({
    ...connectionOf(options),
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: idleMs,
    // A mail holds what we wrote into it, never a file or a page it names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ id, to, subject, text, html }: Mail) {
      try {
        const messageId = id === undefined ? {} : { messageId: `<${id}@${domainOf(from)}>` };
        await transport.sendMail({ from, to, subject, text, html, ...messageId });
      } catch (cause) {
        const failure: SmtpFailure = cause instanceof Error ? cause : new Error('the mail was not sent');
        const reason = withoutSecrets(failure.message);
        if (isPermanent(failure)) throw new ProviderRefused(reason, { cause });
        throw new ProviderUnavailable(`The mail server did not take the mail: ${reason}`, { cause });
      }
    },
  };
}
