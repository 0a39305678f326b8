import { changeNoticeEmail, missingAccountEmail } from './change-emails.ts';
import { consentEmail } from './consent-emails.ts';
import { debitEmail, directDebitRequestEmail, nextDebitEmail } from './debit-emails.ts';
import type { EmailContent } from './email.ts';
import type { EmailContext } from './email-context.ts';
import type { MailFacts } from './mail-facts.ts';
import { offboardingEmail } from './offboarding-emails.ts';
import { resumedEmail } from './resumed-email.ts';
import { welcomeEmail } from './welcome-email.ts';

/** The words of a mail. */
export function emailContentOf(facts: MailFacts, context: EmailContext): EmailContent {
  switch (facts.kind) {
    case 'welcome':
      return welcomeEmail(facts, context);
    case 'consent reminder':
    case 'bank reminder':
    case 'bank ended':
    case 'consent expired':
    case 'consent withdrawn':
      return consentEmail(facts, context);
    case 'round-ups resumed':
      return resumedEmail(facts, context);
    case 'paused by you':
    case 'debits stopped':
    case 'bank data deleted':
    case 'data downloaded':
    case 'account closed':
      return offboardingEmail(facts, context);
    case 'savings_account_changed':
    case 'savings_account_refused':
    case 'funding_account_changed':
    case 'password_changed':
    case 'holder_decided':
      return changeNoticeEmail(facts, context);
    case 'account_missing':
      return missingAccountEmail(facts, context);
    case 'direct_debit_request':
      return directDebitRequestEmail(facts, context);
    case 'next debit':
      return nextDebitEmail(facts, context);
    default:
      return debitEmail(facts, context);
  }
}
