import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type Mail, MailDeferred, type Mailer, MailRefused } from '#ports/mailer.ts';

type Failure = 'for now' | 'for good' | 'this mail' | 'server unavailable';

export interface FakeMailer extends Mailer {
  /** Everything that was really sent, in order. */
  readonly sent: readonly Mail[];
  sentTo(address: string): Mail[];
  /** Fails the next emails: puts them off, refuses the address or the email, or does not answer at all. */
  failNext(how: Failure, times?: number): void;
  /** Fails every email to an address. */
  failTo(address: string, how: Failure): void;
  /** Takes every email from now on. */
  recover(): void;
}

/** A mail server in memory, for tests of use cases. */
export function fakeMailer(): FakeMailer {
  const sent: Mail[] = [];
  const failures: Failure[] = [];
  const failing = new Map<string, Failure>();
  return {
    sent,
    sentTo: (address) => sent.filter(({ to }) => to === address),
    failNext: (how, times = 1) => {
      for (let count = 0; count < times; count += 1) failures.push(how);
    },
    failTo: (address, how) => void failing.set(address, how),
    recover: () => {
      failing.clear();
      failures.length = 0;
    },
    async send(mail) {
      const failure = failing.get(mail.to) ?? failures.shift();
      if (failure === 'for now') throw new MailDeferred('451 try again later');
      if (failure === 'this mail') throw new MailRefused('552 too big');
      if (failure === 'server unavailable') throw new ProviderUnavailable('The mail server does not answer.');
      if (failure === 'for good') throw new ProviderRefused('550 no such mailbox');
      sent.push(mail);
    },
  };
}
