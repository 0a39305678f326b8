import { buildSandbox } from '@sparechange/sandbox/build-sandbox.ts';
import { describeMailer } from '../../ports/mailer.suite.ts';
import { freePort } from '../testing/local-server.ts';
import { smtpMailer } from './index.ts';

describeMailer("SMTP, into the sandbox's mailbox", async () => {
  const smtpPort = await freePort();
  const sandbox = await buildSandbox({
    databaseFile: ':memory:',
    redirectUrl: 'http://localhost:4000/consented',
    basiqApiKey: 'key',
    zeptoToken: 'token',
    smtpPort,
  });
  let isClosed = false;
  const mailer = smtpMailer({
    name: 'sparechange.test',
    url: `smtp://127.0.0.1:${smtpPort}`,
    from: 'Sparechange <hello@sparechange.test>',
    tls: 'if-offered',
  });
  const breakDown = async () => {
    if (!isClosed) await sandbox.close();
    isClosed = true;
  };
  const close = async () => {
    await mailer.close();
    await breakDown();
  };
  return {
    mailer,
    arrived: async () => {
      const mails: { to: string; subject: string; text: string; html: string }[] = (
        await sandbox.app.inject({ url: '/mail/messages' })
      ).json();
      return mails.map(({ to, subject, text, html }) => ({ to, subject, text, html })).toReversed();
    },
    failNext: async (how) => {
      const mail = { 'for now': 'put off', 'for good': 'refuse' }[how as string] ?? `refuse ${how}`;
      await sandbox.app.inject({ method: 'POST', url: '/control/faults', payload: { mail, count: 1 } });
    },
    breakDown,
    close,
  };
});
