import type { EmailContent } from './email.ts';
import type { EmailContext } from './email-context.ts';
import type { FactsOf } from './mail-facts.ts';
import { dayInWords } from './words.ts';

/** A copy of the direct debit request and service agreement, in the words that were agreed to. */
export const directDebitRequestEmail = (
  { agreedOn }: FactsOf<'direct_debit_request'>,
  { page, directDebitText }: EmailContext,
): EmailContent => ({
  subject: 'Your direct debit request and service agreement',
  preview: 'A copy of what you agreed to, to keep.',
  paragraphs: [
    `On ${dayInWords(agreedOn)} you chose the account that your debits are taken from. This is a copy of what you agreed to. Please keep it.`,
    ...directDebitText.split('\n'),
  ],
  action: { label: 'Go to Linked Accounts', url: page('/linked-accounts') },
  note: 'If this was not you, reset your password at once and contact us.',
});
