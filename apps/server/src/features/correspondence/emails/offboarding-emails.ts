import { formatCents } from '@sparechange/domain';
import { needsBankData, underWay, whatStays } from '@sparechange/domain/offboarding';
import type { EmailContent, EmailContext } from './email.ts';
import { dayInWords } from './email.ts';
import type { FactsOf } from './mail-facts.ts';

type OffboardingFacts =
  | FactsOf<'paused_by_you'>
  | FactsOf<'debits_stopped'>
  | FactsOf<'bank_data_deleted'>
  | FactsOf<'data_downloaded'>
  | FactsOf<'data_offered'>
  | FactsOf<'account_closed'>;

const notYou = 'If this was not you, change your password and contact us.';

/** Returns the email that confirms a step of leaving. */
export function offboardingEmail(facts: OffboardingFacts, context: EmailContext): EmailContent {
  const home = { label: 'Go to your dashboard', url: context.page('/dashboard') };
  switch (facts.kind) {
    case 'paused_by_you':
      return {
        subject: 'Your round-ups are paused',
        preview: 'Your purchases are no longer counted.',
        paragraphs: [
          `As you asked, we have stopped counting your purchases. What was counted before waits until ${facts.until ? `your round-ups go on, on ${dayInWords(facts.until)}` : 'you switch round-ups on again'}.`,
          ...underWay(facts),
        ],
        action: home,
        note: notYou,
      };
    case 'debits_stopped':
      return {
        subject: 'Your debits have stopped',
        preview: 'Your authority to debit is cancelled.',
        paragraphs: [
          'As you asked, your authority to debit is cancelled and your round-ups are paused. No new debit is taken.',
          ...underWay(facts),
          'To give again, choose an account on Linked Accounts and switch your round-ups on.',
        ],
        action: { label: 'Go to Linked Accounts', url: context.page('/linked-accounts') },
        note: notYou,
      };
    case 'bank_data_deleted':
      return bankDataDeleted(facts, context);
    case 'data_downloaded':
      return {
        subject: 'Your data was downloaded',
        preview: 'A copy of everything we hold about you.',
        paragraphs: [
          `On ${dayInWords(facts.day)} a copy of everything we hold about you was downloaded from your account.`,
          'The file shows your purchases, so keep it somewhere safe.',
        ],
        action: home,
        note: notYou,
      };
    case 'data_offered':
      return {
        subject: 'Your data is ready to download',
        preview: 'A copy of everything we hold about you.',
        paragraphs: [
          'You asked us for a copy of everything we hold about you.',
          'Sign in and choose “Download” under Your data. Nobody else can download it, and neither can we.',
        ],
        action: { label: 'Go to Your data', url: context.page('/terms#your-data') },
        note: notYou,
      };
    case 'account_closed':
      return {
        subject: 'Your account is closed',
        preview: 'Nothing more is collected.',
        paragraphs: [
          'Your account is closed. Your authority to debit, your bank connection and your sign-in have ended, and no new debit is taken.',
          ...underWay(facts),
          `What came from your bank is deleted${needsBankData(facts) ? ' as soon as any debit or refund under way is done' : ''}. ${whatStays}`,
          'Thank you for all you have given. You are welcome back at any time.',
        ],
        action: { label: 'Visit us', url: context.page('/') },
      };
  }
}

function bankDataDeleted(
  { accounts, roundUps, droppedCents }: FactsOf<'bank_data_deleted'>,
  context: EmailContext,
): EmailContent {
  return {
    subject: 'The data from your bank is deleted',
    preview: 'Your accounts and purchases are no longer with us.',
    paragraphs: [
      `We have deleted what came from your bank. Accounts: ${accounts}. Purchases with their spare change: ${roundUps}.`,
      ...(droppedCents > 0
        ? [`${formatCents(droppedCents)} of spare change not yet taken is dropped. You do not owe it.`]
        : []),
      whatStays,
    ],
    action: { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

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
