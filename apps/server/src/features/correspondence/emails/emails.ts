import { changeNoticeEmail, missingAccountEmail } from './change-emails.ts';
import { consentEmail, onboardingReminder, welcomeEmail } from './consent-emails.ts';
import { debitEmail, directDebitRequestEmail } from './debit-emails.ts';
import { debitSummaryEmail, nextDebitEmail } from './debit-notice-emails.ts';
import type { EmailContent, EmailContext } from './email.ts';
import type { MailFacts } from './mail-facts.ts';
import { offboardingEmail, resumedEmail } from './offboarding-emails.ts';

/** Pages behind the sign-in. */
const signedInPages = ['/dashboard', '/history', '/linked-accounts'];

/** Returns the words of an email; without a button to a page of the account if that is closed. */
export function emailContentOf(facts: MailFacts, context: EmailContext): EmailContent {
  const { action, ...content } = wordsOf(facts, context);
  const isOpenToReader = action && !(context.isClosed && signedInPages.includes(action.url.pathname));
  return { ...content, ...(isOpenToReader && { action }) };
}

function wordsOf(facts: MailFacts, context: EmailContext): EmailContent {
  switch (facts.kind) {
    case 'welcome':
      return welcomeEmail(facts, context);
    case 'onboarding_reminder':
      return onboardingReminder(facts, context);
    case 'consent_reminder':
    case 'bank_reminder':
    case 'bank_ended':
    case 'consent_expired':
    case 'consent_withdrawn':
      return consentEmail(facts, context);
    case 'round_ups_resumed':
      return resumedEmail(facts, context);
    case 'paused_by_you':
    case 'debits_stopped':
    case 'bank_data_deleted':
    case 'data_downloaded':
    case 'data_offered':
    case 'account_closed':
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
    case 'debit_notice':
      return nextDebitEmail(facts, context);
    case 'debit_summary':
      return debitSummaryEmail(facts, context);
    case 'debit_returned':
    case 'debit_reversed':
    case 'donation_refused':
    case 'debit_refunded':
    case 'mandate_cancelled':
    case 'paused_after_two_returns':
    case 'donation_received':
    case 'savings_deposited':
      return debitEmail(facts, context);
  }
}
