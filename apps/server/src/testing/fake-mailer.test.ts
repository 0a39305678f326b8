import { describeMailer } from '../ports/mailer.suite.ts';
import { fakeMailer } from './fake-mailer.ts';

describeMailer('the mailer in memory', async () => {
  const mailer = fakeMailer();
  return {
    mailer,
    arrived: async () => mailer.sent.map(({ to, subject, text, html }) => ({ to, subject, text, html })),
    failNext: async (how) => mailer.failNext(how === 'for now' || how === 'for good' ? how : 'server unavailable'),
    breakDown: async () => mailer.failNext('server unavailable', 100),
    close: async () => undefined,
  };
});
