import type { MailKind, MailStatus } from '@sparechange/contract/console';

export const mailStatusNames: Record<MailStatus, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  given_up: 'Given up',
  bounced: 'Bounced',
  outdated: 'Outdated',
};

export const mailKinds: Record<MailKind, string> = {
  welcome: 'Welcome',
  onboarding_reminder: 'Finish setting up',
  consent_reminder: 'Consent ends soon',
  bank_reminder: 'Bank permission ends soon',
  bank_ended: 'Bank permission ended',
  consent_expired: 'Consent has ended',
  consent_withdrawn: 'Consent withdrawn',
  direct_debit_request: 'Direct debit request',
  debit_notice: 'Before a debit',
  debit_summary: 'Debits of the week',
  debit_returned: 'Debit returned',
  debit_reversed: 'Debit taken back',
  debit_refunded: 'Debit refunded',
  donation_received: 'Donation received',
  donation_refused: 'Donation refused',
  mandate_cancelled: 'Mandate cancelled',
  account_missing: 'Account no longer shown',
  funding_account_changed: 'Account to debit changed',
  holder_decided: 'Account holder decided',
  paused_by_you: 'Paused',
  paused_after_two_returns: 'Paused after two returns',
  round_ups_resumed: 'Round-ups on again',
  savings_deposited: 'Savings deposited',
  savings_account_changed: 'Savings account changed',
  savings_account_refused: 'Savings account refused',
  debits_stopped: 'Debits stopped',
  bank_data_deleted: 'Bank data deleted',
  data_downloaded: 'Data downloaded',
  data_offered: 'Download of their data offered',
  account_closed: 'Account closed',
  password_changed: 'Password changed',
  password_reset: 'Link to reset the password',
  verify_email: 'Link to confirm the email',
  verify_and_change_email: 'Link to confirm a new email',
  recover_email: 'Link to undo a new email',
  remittance_advice: 'Remittance advice',
  bank_details: 'New bank details',
  club_contact: 'Another contact of a club',
  club_request: 'Request of a club to join',
  operator_link: 'Console sign-in link',
  alarm: 'Alarm',
};

const named: Partial<Record<string, string>> = mailKinds;

/** Names the kind of a mail, which another version of the product may have queued. */
export const kindInWords = (about: string): string => named[about] ?? about.replaceAll('_', ' ');
