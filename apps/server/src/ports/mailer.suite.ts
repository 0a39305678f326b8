import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from './errors.ts';
import { type Mail, MailDeferred, type Mailer } from './mailer.ts';

/** A mailer with the means to be the mail server. */
export interface MailerUnderTest {
  mailer: Mailer;
  /** Lists the emails that have really arrived, in order. */
  arrived(): Promise<Pick<Mail, 'to' | 'subject' | 'text' | 'html'>[]>;
  /**
   * Refuses the next recipient as unknown, or defers it, or refuses the next email for a reason of the sending side.
   */
  failNext(how: 'for now' | 'for good' | 'sender' | 'relaying' | 'content'): Promise<void>;
  /** From now on the server does not answer. */
  breakDown(): Promise<void>;
  close(): Promise<void>;
}

/** Describes every mailer, whichever server it uses. */
export function describeMailer(name: string, make: () => Promise<MailerUnderTest>): void {
  describe(name, () => {
    let under: MailerUnderTest;
    beforeEach(async () => {
      under = await make();
    });
    afterEach(() => under.close());

    const welcome: Mail = {
      to: 'joan@example.com',
      subject: 'Thank you, Zoë – and 小龍',
      text: 'Your code is 123456.',
      html: '<p>Your code is <b>123456</b>.</p>',
    };
    const arrived = async () =>
      (await under.arrived()).map((mail) => ({ ...mail, text: mail.text.trimEnd(), html: mail.html.trimEnd() }));

    test('an email arrives as it was written, in both its forms', async () => {
      await under.mailer.send(welcome);
      expect(await arrived()).toEqual([welcome]);
    });

    test('several sent together all arrive', async () => {
      const people = ['a@example.com', 'b@example.com', 'c@example.com'];
      await Promise.all(people.map((to) => under.mailer.send({ ...welcome, to })));
      expect((await arrived()).map(({ to }) => to).toSorted()).toEqual(people);
    });

    test('an unknown mailbox is refused for good, without its address, and the next email goes', async () => {
      await under.failNext('for good');
      const refused = await under.mailer.send(welcome).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ProviderRefused);
      expect(String(refused)).toContain('550');
      expect(String(refused)).not.toContain('joan@');
      await under.mailer.send({ ...welcome, to: 'other@example.com' });
      expect((await arrived()).map(({ to }) => to)).toEqual(['other@example.com']);
    });

    test('one that is put off may be tried again, and has then arrived once', async () => {
      const mail = { ...welcome, id: 'one' };
      await under.failNext('for now');
      await expect(under.mailer.send(mail)).rejects.toThrow(MailDeferred);
      await under.mailer.send(mail);
      expect(await arrived()).toHaveLength(1);
    });

    test.each(['sender', 'relaying', 'content'] as const)(
      'a refusal of the %s is not blamed on the address, and the same email is sent later',
      async (how) => {
        await under.failNext(how);
        const failure = await under.mailer.send(welcome).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(ProviderUnavailable);
        expect(failure).not.toBeInstanceOf(MailDeferred);
        await under.mailer.send(welcome);
        expect(await arrived()).toHaveLength(1);
      },
    );

    test('a server that does not answer is unavailable', async () => {
      await under.breakDown();
      const failure = await under.mailer.send(welcome).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProviderUnavailable);
      expect(failure).not.toBeInstanceOf(MailDeferred);
    });
  });
}
