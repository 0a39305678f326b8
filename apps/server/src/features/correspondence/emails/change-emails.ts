import { formatCents } from '@sparechange/domain';
import type { EmailContent, EmailContext } from './email.ts';
import { dayInWords } from './email.ts';
import type { FactsOf } from './mail-facts.ts';

type ChangeFacts =
  | FactsOf<'savings_account_changed'>
  | FactsOf<'savings_account_refused'>
  | FactsOf<'funding_account_changed'>
  | FactsOf<'password_changed'>
  | FactsOf<'holder_decided'>;

const notYouNote = 'If this was not you, reset your password right away and contact us.';

/** Returns the text for a first savings account, which has no waiting time, or for one that replaces another. */
const savingsAccountText = (receivesFrom: string | null) =>
  receivesFrom
    ? {
        subject: 'Your savings account was changed',
        preview: `Your monthly deposits go to a different account from ${dayInWords(receivesFrom)}.`,
        paragraphs: [
          `A different savings account has been linked. Your monthly deposits go there from ${dayInWords(receivesFrom)}: to keep your money safe, nothing is deposited before that day.`,
        ],
      }
    : {
        subject: 'Your savings account is linked',
        preview: 'Your monthly deposits go there.',
        paragraphs: ['A savings account has been linked. Your monthly deposits go there.'],
      };

/** Composes the email about a deposit that a bank refused; supporters with a closed account cannot link another. */
function refusedDepositEmail({ amountCents }: FactsOf<'savings_account_refused'>, context: EmailContext): EmailContent {
  const { next, action, preview } = context.isClosed
    ? {
        preview: 'Please name another savings account.',
        next: 'The money is still yours and stays set aside. Please contact us and name another account, so that we can pay it to you.',
        action: { label: 'Contact us', url: context.page('/support') },
      }
    : {
        preview: 'Please link another savings account.',
        next: 'The money is still yours. It stays set aside, and so does your half of what comes after it, until you link another account; all of it is deposited there.',
        action: { label: 'Link another account', url: context.page('/linked-accounts') },
      };
  return {
    subject: 'Your savings deposit could not be made',
    preview,
    paragraphs: [
      `The deposit of ${formatCents(amountCents)} did not reach your savings account: the bank does not take payments into it, or there is no account with that number.`,
      next,
    ],
    action,
    note: 'Please check the BSB and the account number with your bank. Most account numbers have up to 9 digits.',
  };
}

/**
 * Composes the email about a changed password, savings or funding account, a refused deposit, or a reviewed account
 * holder.
 */
export function changeNoticeEmail(facts: ChangeFacts, context: EmailContext): EmailContent {
  switch (facts.kind) {
    case 'savings_account_changed':
      return {
        ...savingsAccountText(facts.receivesFrom),
        action: { label: 'Go to Linked Accounts', url: context.page('/linked-accounts') },
        note: notYouNote,
      };
    case 'savings_account_refused':
      return refusedDepositEmail(facts, context);
    case 'funding_account_changed':
      return {
        subject: 'Your funding account was changed',
        preview: 'Your debits come from a different account.',
        paragraphs: ['Your debits are taken from the account that was chosen last.'],
        action: { label: 'Go to Linked Accounts', url: context.page('/linked-accounts') },
        note: notYouNote,
      };
    case 'holder_decided':
      return facts.isApproved
        ? {
            subject: 'You can choose your funding account now',
            preview: 'We have looked at the name of the account.',
            paragraphs: [
              'Your bank gives another name for an account that you chose for debits. We have looked at it, and you can choose it now.',
            ],
            action: { label: 'Choose the account', url: context.page('/linked-accounts') },
            note: notYouNote,
          }
        : {
            subject: 'Please choose another funding account',
            preview: 'Your bank gives another name for the account.',
            paragraphs: [
              'Your bank gives another name for an account that you chose for debits, so nothing is debited from it. Please choose an account in your own name.',
            ],
            action: { label: 'Choose an account', url: context.page('/linked-accounts') },
            note: notYouNote,
          };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        preview: 'You have been signed out on every device.',
        paragraphs: ['The password of your account was changed. You have been signed out on every device.'],
        action: { label: 'Sign in', url: context.page('/') },
        note: notYouNote,
      };
  }
}

/** Composes the email about a chosen account that the bank no longer shows. */
export function missingAccountEmail(
  { isDebited, isTracked }: FactsOf<'account_missing'>,
  context: EmailContext,
): EmailContent {
  if (context.hasCampaignEnded)
    return {
      subject: 'Your bank no longer shows an account you chose',
      preview: 'There is nothing to do.',
      paragraphs: [
        'An account that you chose is missing from the accounts that your bank shares with us.',
        'No further debit is taken for your club, so there is nothing to do.',
      ],
      action: { label: 'Go to your history', url: context.page('/history') },
    };
  return {
    subject: 'Your bank no longer shows an account you chose',
    preview: isDebited ? 'Nothing is debited until it is back.' : 'Its purchases are not rounded up for now.',
    paragraphs: [
      'An account that you chose is missing from the accounts that your bank shares with us.',
      ...(isDebited
        ? [
            'Your debits are taken from it, so nothing is debited for now. Your round-ups wait until your bank shows the account again or you choose another one.',
          ]
        : []),
      ...(isTracked ? ['Purchases on it are not rounded up for now.'] : []),
      'If the account is still open, share it with us again under Manage Bank Connection. If it is closed, choose another one. We have switched nothing off: if your bank shows the account again, everything continues as before.',
    ],
    action: { label: 'Go to Linked Accounts', url: context.page('/linked-accounts') },
  };
}
