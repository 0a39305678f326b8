import { type Cents, formatCents, type IsoDate } from '@sparechange/domain';
import type { EmailContent, EmailContext } from './email.ts';
import { dayInWords, monthInWords } from './email.ts';
import type { FactsOf } from './mail-facts.ts';

type DebitFacts =
  | FactsOf<'debit_returned'>
  | FactsOf<'debit_reversed'>
  | FactsOf<'donation_refused'>
  | FactsOf<'debit_refunded'>
  | FactsOf<'mandate_cancelled'>
  | FactsOf<'paused_after_two_returns'>
  | FactsOf<'donation_received'>
  | FactsOf<'savings_deposited'>;

export function debitEmail(facts: DebitFacts, context: EmailContext): EmailContent {
  switch (facts.kind) {
    case 'debit_returned':
      return returned(facts, context);
    case 'debit_reversed':
      return reversed(facts, context);
    case 'donation_refused':
      return refusedDonation(facts, context);
    case 'debit_refunded':
      return refunded(facts, context);
    case 'mandate_cancelled':
      return cancelledMandate(context);
    case 'paused_after_two_returns':
      return paused(facts, context);
    case 'donation_received':
      return donation(facts, context);
    case 'savings_deposited':
      return savings(facts, context);
  }
}

const endedConnection =
  'Your bank connection has ended, so we do not ask for it again unless you renew the connection.';

const endedCampaign = 'No further debit is taken for your club, so we do not ask for it again.';

function returned({ debit, amountCents, remedy }: FactsOf<'debit_returned'>, context: EmailContext): EmailContent {
  const what = debit === 'donation' ? 'donation' : 'debit of your round-ups';
  const amount = formatCents(amountCents);
  const subject = debit === 'donation' ? 'Your donation did not go through' : 'Your debit did not go through';
  const figure = { amount, words: 'not received' };
  const first = `Your bank returned the ${what} of ${amount}. We have not received the money.`;
  if (context.hasCampaignEnded)
    return {
      subject,
      figure,
      preview: 'Nothing was taken.',
      paragraphs: [first, endedCampaign],
      action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
    };
  if (remedy === 'change the account') {
    const later =
      debit === 'donation'
        ? 'We do not ask for this donation again.'
        : 'The amount goes with the first debit after that.';
    return {
      subject,
      figure,
      preview: 'Please choose another account to be debited.',
      paragraphs: [first, `Debits can no longer be taken from that account. Please choose another one. ${later}`],
      action: { label: 'Choose an account', url: context.page('/linked-accounts') },
    };
  }
  if (remedy === 'asked once more') {
    return {
      subject,
      figure,
      preview: 'We ask once more with the next debit.',
      paragraphs: [
        first,
        'There is nothing to do but have enough in the account: we try once more, together with your next debit.',
        'If you would rather take a break, you can pause your round-ups at any time.',
      ],
      action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
    };
  }
  return {
    subject,
    figure,
    preview: 'Nothing was taken.',
    paragraphs: [
      first,
      debit === 'round-up'
        ? endedConnection
        : 'We do not ask for it again. If you would still like to give, you can make another donation whenever it suits you.',
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

const whatIsDebited = { 'round-up': 'debit of your round-ups', donation: 'donation' };

function reversed({ debit, amountCents, remedy }: FactsOf<'debit_reversed'>, context: EmailContext): EmailContent {
  const content = {
    subject: `Your bank took back a ${debit === 'donation' ? 'donation' : 'debit'}`,
    figure: { amount: formatCents(amountCents), words: 'back in your account' },
    paragraphs: [
      `Your bank took back the ${whatIsDebited[debit]} of ${formatCents(amountCents)}, which had already reached us. You have the money again, it no longer counts as given, and we do not ask for it again.`,
    ],
  };
  if (remedy === 'nothing' || context.hasCampaignEnded)
    return {
      ...content,
      preview: 'There is nothing for you to do.',
      action: { label: 'Go to your history', url: context.page('/history') },
    };
  return {
    ...content,
    preview: 'Please choose another account to be debited.',
    paragraphs: [
      ...content.paragraphs,
      'Debits can no longer be taken from that account. Please choose another one; your round-ups wait until then. If you meant to stop, pause your round-ups.',
    ],
    action: { label: 'Choose an account', url: context.page('/linked-accounts') },
  };
}

/** A debit that the bank reversed for want of money after it had cleared. */
export interface TakenBack {
  kind: 'round-up' | 'donation';
  date: IsoDate;
  amountCents: Cents;
}

/** Mentions a reversed debit in an email about something else. */
export const takenBackWords = ({ kind, date, amountCents }: TakenBack): string =>
  `Your bank has taken back the ${whatIsDebited[kind]} of ${formatCents(amountCents)} of ${dayInWords(date)}, which had already reached us. We do not ask for it again, so there is nothing to do.`;

function refusedDonation({ amountCents }: FactsOf<'donation_refused'>, context: EmailContext): EmailContent {
  return {
    subject: 'Your donation did not go through',
    preview: 'Nothing was taken.',
    figure: { amount: formatCents(amountCents), words: 'not taken' },
    paragraphs: [
      `Your donation of ${formatCents(amountCents)} could not be debited, so nothing was taken from your account.`,
      `We do not ask for it again.${context.isClosed || context.hasCampaignEnded ? '' : ' If you would still like to give, you can make another donation whenever it suits you.'}`,
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

function refunded({ debit, amountCents, clubName }: FactsOf<'debit_refunded'>, context: EmailContext): EmailContent {
  const amount = formatCents(amountCents);
  const what = debit === 'donation' ? `your one-off donation to ${clubName}` : 'a debit of your round-ups';
  return {
    subject: 'Your refund is on its way',
    preview: `${amount} goes back to the account that it was taken from.`,
    figure: { amount, words: 'on its way back to you' },
    paragraphs: [
      `We are giving ${amount} of ${what} back to you. It goes to the account that it was taken from and may take a few business days to show.`,
      `There is nothing for you to do. The refund no longer counts as given${context.isClosed ? '' : ': your history and your receipts show it'}.`,
    ],
    action: { label: 'Go to your history', url: context.page('/history') },
  };
}

function cancelledMandate(context: EmailContext): EmailContent {
  const cancelled =
    'We have learned from your bank or our payment provider that your agreement to be debited was cancelled. Nothing more is debited from that account.';
  if (context.hasCampaignEnded)
    return {
      subject: 'Your direct debit was cancelled',
      preview: 'Nothing more is debited.',
      paragraphs: [cancelled, 'No further debit is taken for your club either, so there is nothing left to do.'],
      action: { label: 'Go to your history', url: context.page('/history') },
    };
  return {
    subject: 'Your direct debit was cancelled',
    preview: 'Nothing more is debited until you choose an account.',
    paragraphs: [
      cancelled,
      'If you meant to stop, there is nothing left to do; to stop counting your purchases as well, pause your round-ups.',
      'To give on, choose an account and agree again. What your round-ups have come to since waits until then.',
    ],
    action: { label: 'Choose an account', url: context.page('/linked-accounts') },
  };
}

function paused({ amountCents }: FactsOf<'paused_after_two_returns'>, context: EmailContext): EmailContent {
  return {
    subject: 'Your round-ups are paused',
    preview: 'Two debits in a row did not go through.',
    figure: { amount: formatCents(amountCents), words: 'not received' },
    paragraphs: [
      `Your bank returned the debit of ${formatCents(amountCents)}, the second in a row. To be on the safe side we have paused your round-ups.`,
      context.hasCampaignEnded
        ? endedCampaign
        : 'Nothing is collected or debited while they are paused. Turn them back on whenever it suits you; what is still open goes with the first debit after that.',
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

function donation({ amountCents, clubName }: FactsOf<'donation_received'>, context: EmailContext): EmailContent {
  return {
    subject: `Thank you for your donation to ${clubName}`,
    preview: `Your donation of ${formatCents(amountCents)} has arrived.`,
    figure: { amount: formatCents(amountCents), words: `for ${clubName}` },
    paragraphs: [
      `Your one-off donation of ${formatCents(amountCents)} to ${clubName} has arrived. All of it goes to ${clubName}. Thank you.`,
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

function savings({ amountCents, month }: FactsOf<'savings_deposited'>, context: EmailContext): EmailContent {
  return {
    subject: `Your savings for ${monthInWords(month)}`,
    preview: `${formatCents(amountCents)}, your half of the round-ups, is on its way to your savings account.`,
    figure: { amount: formatCents(amountCents), words: 'into your savings' },
    paragraphs: [
      `We have deposited ${formatCents(amountCents)} into your savings account: your half of the round-ups of ${monthInWords(month)}.`,
      'It may take a business day to show.',
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

/** The direct debit request and service agreement, as agreed to. */
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
  note: 'If this was not you, reset your password right away and contact us.',
});
