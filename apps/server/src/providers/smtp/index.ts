import { createPrivateKey } from 'node:crypto';
import { holdsMailAddress } from '#mail-address-in-text.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { concernsAddress, type Mail, MailDeferred, type Mailer, MailRefused } from '#ports/mailer.ts';
import { withoutSecrets } from '#providers/outgoing/without-secrets.ts';

/** Nodemailer's error for an email that was not sent. */
export interface SmtpFailure extends Error {
  code?: string;
  /** `MAIL FROM`, `RCPT TO`, `DATA`; `API` where nothing was asked. */
  command?: string;
  response?: string;
  /** The server's three digits, when it answered at all. */
  responseCode?: number;
}

/** An answer's three digits, which a status may follow. */
const refusal = /^55\d[ -]/;
/** Answers without a status, which smarthosts also give to us as a sender: words have to name the mailbox. */
const plainCodes = /^55[0136][ -](?!5\.\d)/;
const aMailbox = '(user|mailbox|recipient|address|account)';
const missingMailbox = new RegExp(
  `(no such|unknown|invalid|unrouteable) (\\w+ )?${aMailbox}|${aMailbox}\\b.{0,40}(unknown|not found|n[o']t exist|unavailable|disabled|inactive)`,
  'i',
);
const ofTheSender = /relay|sender|spam|block|policy|denied|authenticat|exceed|quota|limit/i;

/**
 * Returns whether the address was refused for good. Every other refusal is of the sending side: of us as a sender (MAIL
 * FROM), a policy, a quota or the content (DATA).
 */
export function isAddressRefused({ code, command, response = '' }: SmtpFailure): boolean {
  if (code !== 'EENVELOPE' || command === 'API') return code === 'EENVELOPE';
  if (command !== 'RCPT TO') return false;
  const words = response.replace(/\S+/g, (word) => (holdsMailAddress(word) ? 'address' : word));
  return (
    (refusal.test(response) && concernsAddress(response.slice(4))) ||
    (plainCodes.test(words) && missingMailbox.test(words) && !ofTheSender.test(words))
  );
}

/**
 * Chooses the error of an email that may be tried again. Of this email alone are a full mailbox or greylisting (421
 * closes the connection for all), and perhaps a 5xx, such as for its size or content.
 */
function failureOf({ command, responseCode = 0 }: SmtpFailure): typeof ProviderUnavailable {
  const isOfMail = (command === 'RCPT TO' || command === 'DATA') && responseCode >= 400 && responseCode !== 421;
  if (!isOfMail) return ProviderUnavailable;
  return responseCode < 500 ? MailDeferred : MailRefused;
}

export interface SmtpOptions {
  /** `smtps://user:pass@host:465`, or `smtp://…` with STARTTLS. */
  url: string;
  /** "Sparechange <hello@example.org>" */
  from: string;
  /** Envelope sender, which mail servers report to; `from` unless set. */
  bouncesTo?: string | undefined;
  /**
   * The name that the mail server is greeted by: a host without a dot would greet as an address, which filters dislike.
   */
  name: string;
  /** `if-offered` allows clear text where the server offers no STARTTLS. A bad certificate is never accepted. */
  tls: 'required' | 'if-offered';
  /** Signs each email for its domain, by an RSA key as PEM. */
  dkim?: { domain: string; selector: string; key: string } | undefined;
  timeouts?: { connectMs?: number; greetingMs?: number; idleMs?: number };
}

/** The parts of the address and nothing else of it: what stands behind a question mark could switch TLS off. */
function serverAt(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
  };
}

/** Tells programs not to answer (RFC 3834, and Exchange's own header), and how to unsubscribe by one click. */
const headersOf = (unsubscribe: URL | undefined): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  ...(unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe.href}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

/** The most connections of a process; few servers accept more than twenty from one sender. */
const maxConnections = 10;

export interface SmtpMailer extends Mailer {
  /** Closes the connections that are left open. */
  close(): Promise<void>;
}

/** Emails that go over one connection. */
const maxMessages = 1_000;
/** Time after its last email in which a connection is closed: servers allow a sender few. */
const closeAfterMs = 1_000;

/**
 * Mail through any SMTP server. Emails share connections: a connection closed by the server is replaced, and the
 * email sent over the next.
 */
export function smtpMailer(options: SmtpOptions): SmtpMailer {
  const { url, from, bouncesTo, name, tls, dkim, timeouts = {} } = options;
  const { connectMs = 10_000, greetingMs = 10_000, idleMs = 20_000 } = timeouts;
  const settings = {
    ...serverAt(url),
    name,
    requireTLS: tls === 'required',
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: idleMs,
    pool: true,
    maxConnections,
    maxMessages,
    maxRequeues: 1,
    idleTimeout: closeAfterMs,
    // An email holds only the text that we wrote, never a file or a page it names.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  const signing = dkim && { ...dkim, key: createPrivateKey(dkim.key) };
  /** Loads Nodemailer with the first email; a command, and a start, mostly send none. */
  const connect = async () => {
    const [{ createTransport }, { wholeMessage }] = await Promise.all([
      import('nodemailer'),
      import('./whole-message.ts'),
    ]);
    const transport = createTransport(settings);
    transport.use('stream', ({ message }, done) => {
      message.processFunc((input) => wholeMessage(input, signing));
      done();
    });
    return transport;
  };
  let transport: ReturnType<typeof connect> | undefined;

  return {
    close: async () => (await transport)?.close(),
    async send({ id, to, subject, text, html, unsubscribe, attachments = [] }: Mail) {
      try {
        const messageId = id === undefined ? {} : { messageId: `<${id}@${domainOf(from)}>` };
        const files = attachments.map(({ name, type, content }) => ({
          filename: name,
          contentType: type,
          content: Buffer.from(content),
        }));
        transport ??= connect();
        await (await transport).sendMail({
          from,
          to,
          ...(bouncesTo && to && { envelope: { from: bouncesTo, to } }),
          subject,
          text,
          html,
          attachments: files,
          headers: headersOf(unsubscribe),
          ...messageId,
        });
      } catch (cause) {
        const failure: SmtpFailure = cause instanceof Error ? cause : new Error('the mail was not sent');
        const reason = withoutSecrets(failure.message);
        if (isAddressRefused(failure)) throw new ProviderRefused(reason, { cause });
        const Failure = failureOf(failure);
        throw new Failure(`The mail server did not take the mail: ${reason}`, { cause });
      }
    },
  };
}
