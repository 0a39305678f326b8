import type { EmailContent } from './email.ts';
import type { EmailContext } from './email-context.ts';
import type { FactsOf } from './mail-facts.ts';
import { dayInWords } from './words.ts';

/** Announces that a pause ended on its chosen day. */
export const resumedEmail = ({ on }: FactsOf<'round_ups_resumed'>, context: EmailContext): EmailContent => ({
  subject: 'Your round-ups are on again',
  preview: 'Your pause has ended, as you chose.',
  paragraphs: [
    `Your pause has ended, as you chose. Your purchases round up again from ${dayInWords(on)} on; those made during the pause do not count.`,
    'What had been recorded before the pause goes with your next debit. Your dashboard shows when that is, and there you can pause again at any time.',
  ],
  action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
});
