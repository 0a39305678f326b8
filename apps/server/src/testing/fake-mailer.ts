import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { Mail, Mailer } from '#ports/mailer.ts';

export interface FakeMailer extends Mailer {
  /** Everything that was really sent, in order. */
  readonly sent: readonly Mail[];
  sentTo(address: string): Mail[];
  /** Fails the next mails: ProviderUnavailable, or ProviderRefused for good. */
  failNext(how: 'for now' | 'for good', times?: number): void;
}

/** A mail server in memory, for tests of use cases. */
export function fakeMailer(): FakeMailer {
  const sent: Mail[] = [];
  const failures: ('for now' | 'for good')[] = [];
  return {
    sent,
    sentTo: (address) => sent.filter(({ to }) => to === address),
    failNext: (how, times = 1) => {
      for (let count = 0; count < times; count += 1) failures.push(how);
    },
    async send(mail) {
      const failure = failures.shift();
      if (failure === 'for now') throw new ProviderUnavailable('The mail server is not there.');
      if (failure === 'for good') throw new ProviderRefused('550 no such mailbox');
      sent.push(mail);
    },
  };
}
