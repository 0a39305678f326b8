import { changeLetter } from './change-emails.ts';
import { consentLetter } from './consent-emails.ts';
import { debitLetter } from './debit-emails.ts';
import { directDebitLetter } from './direct-debit-request-email.ts';
import type { Letter } from './email.ts';
import type { LetterContext } from './email-context.ts';
import type { MailFacts } from './mail-facts.ts';
import { missingAccountLetter } from './missing-account-email.ts';
import { nextDebitLetter } from './next-debit-email.ts';
import { leavingLetter } from './offboarding-emails.ts';
import { resumedLetter } from './resumed-email.ts';
import { welcomeLetter } from './welcome-email.ts';

/** The words of a mail. */
export function letterOf(facts: MailFacts, context: LetterContext): Letter {
  switch (facts.kind) {
    case 'welcome':
      return welcomeLetter(facts, context);
    case 'consent reminder':
    case 'bank reminder':
    case 'bank ended':
    case 'consent expired':
    case 'consent withdrawn':
      return consentLetter(facts, context);
    case 'round-ups resumed':
      return resumedLetter(facts, context);
    case 'paused by you':
    case 'debits stopped':
    case 'bank data deleted':
    case 'data downloaded':
    case 'account closed':
      return leavingLetter(facts, context);
    case 'savings_account_changed':
    case 'savings_account_refused':
    case 'funding_account_changed':
    case 'password_changed':
    case 'holder_decided':
      return changeLetter(facts, context);
    case 'account_missing':
      return missingAccountLetter(facts, context);
    case 'direct_debit_request':
      return directDebitLetter(facts, context);
    case 'next debit':
      return nextDebitLetter(facts, context);
    default:
      return debitLetter(facts, context);
  }
}
