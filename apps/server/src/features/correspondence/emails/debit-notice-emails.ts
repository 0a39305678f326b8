import { formatCents, isoDate, statementText } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { EmailContent, EmailContext } from './email.ts';
import { dayInWords } from './email.ts';
import type { FactsOf } from './mail-facts.ts';

const choose = ({ debitNotices }: EmailContext) => ({ label: 'Get fewer of these emails', url: debitNotices() });

/**
 * Announces the next debit on the evening before, or in its night if emails were late; bank data stays on the
 * dashboard.
 */
export function nextDebitEmail(
  { run, amountCents, reference, furtherReferences, isUnusual }: FactsOf<'debit_notice'>,
  context: EmailContext,
): EmailContent {
  const amount = formatCents(amountCents);
  const when = run === context.today ? 'today' : 'tomorrow';
  const texts = [reference, ...furtherReferences].map((each) => statementText(context.statementName, each));
  const [inParts, shown] =
    texts.length === 1
      ? ['', `On your bank statement it reads ${texts[0]}.`]
      : [
          `, in ${texts.length} debits as one was delayed`,
          `On your bank statement they read ${new Intl.ListFormat('en-AU').format(texts)}.`,
        ];
  const why = isUnusual ? ['You get this email because it is one of your first debits, or more than your usual.'] : [];
  return {
    subject: `Your debit ${when}: ${amount} so far`,
    preview: `You need not do anything. If ${when} does not suit you, you can skip this one.`,
    paragraphs: [
      `${when === 'today' ? 'Today' : 'Tomorrow'}, on ${dayInWords(run)}, we debit your round-ups: ${amount} so far${inParts}. What your bank tells us overnight is added.`,
      ...why,
      `${shown} Your dashboard shows the purchases it is made of and the account it is taken from, under “Next debit”.`,
      `You need not do anything. If ${when} does not suit you, skip this one: nothing is lost, it waits for the debit after it.`,
    ],
    action: { label: 'Skip this one', url: context.skip(isoDate(run)) },
    note: `The button works until 6 am Sydney time ${when} and skips this debit alone. Please do not pass this mail on.`,
    stop: choose(context),
  };
}

/** Sums up the debits of a week before the first one of the next; that one is left out once its day is over. */
export function debitSummaryEmail(facts: FactsOf<'debit_summary'>, context: EmailContext): EmailContent {
  const { from, run, debits, debitedCents, nextCents } = facts;
  const debited = formatCents(debitedCents);
  const next = `The next debit is on ${dayInWords(run)}: ${formatCents(nextCents)} so far. What your bank tells us before it is added.`;
  return {
    subject:
      debits > 0 ? `Your week: ${debited} debited` : `Your week: nothing debited, ${formatCents(nextCents)} to come`,
    preview: 'Your weekly summary. You need not do anything.',
    paragraphs: [
      debits > 0
        ? `Since ${dayInWords(from)} we have debited ${debited} of round-ups, in ${counted(debits, 'debit')}.`
        : `Since ${dayInWords(from)} nothing was debited.`,
      ...(nextCents > 0 && context.today <= run ? [next] : []),
      'Your dashboard shows what your next debit is made of, and lets you skip it. Every debit is in your history.',
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
    note: 'Please do not pass this email on.',
    stop: choose(context),
  };
}
