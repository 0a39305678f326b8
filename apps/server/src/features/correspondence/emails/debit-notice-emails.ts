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
      ? ['', `On your statement: ${texts[0]}.`]
      : [
          `, in ${texts.length} debits as one was delayed`,
          `On your statement: ${new Intl.ListFormat('en-AU').format(texts)}.`,
        ];
  const why = isUnusual ? ['You get this email because it is one of your first debits, or more than usual.'] : [];
  return {
    subject: `Your debit ${when}`,
    preview: `${amount} so far. Nothing to do. Bad timing? You can skip this one.`,
    figure: { amount, words: `so far, debited ${when}` },
    paragraphs: [
      `${when === 'today' ? 'Today' : 'Tomorrow'}, ${dayInWords(run)}, we'll debit your round-ups: ${amount} so far${inParts}, plus anything that arrives overnight.`,
      ...why,
      `${shown} Your dashboard shows its purchases and the account it is taken from, under “Next debit”.`,
      `Nothing to do. Bad timing? Skip it, and we'll add it to the next one.`,
    ],
    action: { label: 'Skip this one', url: context.skip(isoDate(run)) },
    note: `The button works until 6 am (Sydney) ${when}, for this debit only. Please don't forward this email.`,
    stop: choose(context),
  };
}

/** Sums up the debits of a week before the first one of the next; that one is left out once its day is over. */
export function debitSummaryEmail(facts: FactsOf<'debit_summary'>, context: EmailContext): EmailContent {
  const { from, run, debits, debitedCents, nextCents } = facts;
  const debited = formatCents(debitedCents);
  const next = `The next debit is on ${dayInWords(run)}: ${formatCents(nextCents)} so far, plus anything that arrives before then.`;
  return {
    subject: 'Your week in round-ups',
    preview:
      debits > 0
        ? `${debited} debited. Nothing to do.`
        : `Nothing debited, ${formatCents(nextCents)} to come. Nothing to do.`,
    figure:
      debits > 0
        ? { amount: debited, words: 'debited this week' }
        : { amount: formatCents(nextCents), words: 'to come' },
    paragraphs: [
      debits > 0
        ? `Since ${dayInWords(from)} we have debited ${debited} of round-ups, in ${counted(debits, 'debit')}.`
        : `Since ${dayInWords(from)} nothing was debited.`,
      ...(nextCents > 0 && context.today <= run ? [next] : []),
      'Your dashboard shows what your next debit is made of, and lets you skip it. Every debit is in your history.',
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
    note: "Please don't forward this email.",
    stop: choose(context),
  };
}
