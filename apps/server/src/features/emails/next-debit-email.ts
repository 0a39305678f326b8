import { formatCents, isoDate, statementText } from '@sparechange/domain';
import type { EmailContent } from './email.ts';
import type { EmailContext } from './email-context.ts';
import type { FactsOf } from './mail-facts.ts';
import { dayInWords } from './words.ts';

/** The evening before a debit. Purchases and account are the bank's data, so the dashboard tells them. */
export function nextDebitEmail(
  { run, amountCents, reference }: FactsOf<'next debit'>,
  context: EmailContext,
): EmailContent {
  const amount = formatCents(amountCents);
  return {
    subject: `Your debit tomorrow: ${amount} so far`,
    preview: 'You need not do anything. If tomorrow does not suit you, you can skip this one.',
    paragraphs: [
      `Tomorrow, on ${dayInWords(run)}, we debit your round-ups: ${amount} so far. What your bank tells us overnight is added.`,
      `On your bank statement it reads ${statementText(context.statementName, reference)}. Your dashboard shows the purchases it is made of and the account it is taken from, under “Next debit”.`,
      'You need not do anything. If tomorrow does not suit you, skip this one: nothing is lost, it waits for the debit after it.',
    ],
    action: { label: 'Skip this one', url: context.skip(isoDate(run)) },
    note: 'The button works until 6 am Sydney time tomorrow and skips this debit alone. Please do not pass this mail on.',
    stop: { label: 'Stop these mails', url: context.stopDebitMails() },
  };
}
