import type { EmailContent } from './email.ts';
import type { EmailContext } from './email-context.ts';
import type { FactsOf } from './mail-facts.ts';

/** Says that the bank no longer shows an account, and the next step. */
export function missingAccountEmail(
  { isDebited, isTracked }: FactsOf<'account_missing'>,
  context: EmailContext,
): EmailContent {
  return {
    subject: 'Your bank no longer shows an account you chose',
    preview: isDebited ? 'Nothing is debited until it is back.' : 'Its purchases are not rounded up meanwhile.',
    paragraphs: [
      'An account that you chose is missing from the accounts that your bank shares with us.',
      ...(isDebited
        ? [
            'Your debits are taken from it, so nothing is debited for now. What your round-ups come to waits until your bank shows the account again or you choose another one.',
          ]
        : []),
      ...(isTracked ? ['Purchases on it are not rounded up meanwhile.'] : []),
      'If the account is still open, share it with us again under Manage Bank Connection. If it is closed, choose another one. We have switched nothing off: should your bank show the account again, all goes on as before.',
    ],
    action: { label: 'Go to Linked Accounts', url: context.page('/linked-accounts') },
  };
}
