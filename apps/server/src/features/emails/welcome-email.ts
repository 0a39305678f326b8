import type { EmailContent } from './email.ts';
import type { EmailContext } from './email-context.ts';
import type { FactsOf } from './mail-facts.ts';
import { dayInWords } from './words.ts';

export function welcomeEmail({ clubName, roundsFrom }: FactsOf<'welcome'>, context: EmailContext): EmailContent {
  const confirm = context.confirmEmail();
  return {
    subject: `Thank you for supporting ${clubName}`,
    preview: 'You are all set. Here is how your spare change works.',
    paragraphs: [
      `You are all set: the spare change of your everyday purchases now goes to ${clubName}. Thank you.`,
      `Purchases from ${dayInWords(roundsFrom)} on are rounded up. The total is debited on Mondays, Wednesdays and Fridays, or on the next business day after a public holiday.`,
      'You can set a weekly limit, change how much is rounded up, pause, or stop at any time.',
    ],
    action: confirm
      ? { label: 'Confirm your email', url: confirm }
      : { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}
