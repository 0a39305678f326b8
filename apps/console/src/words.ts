import type { AuditEntry, PersonStatus, Role } from '@sparechange/contract/console';
import { shortDay, sydneyDay, withUnbrokenTime } from '@sparechange/domain';

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  finance: 'Finance',
  support: 'Support',
  viewer: 'Viewer',
  treasurer: 'Treasurer',
};

export const rolesInWords: Record<Role, string> = {
  owner: 'everything, people and settings included',
  finance: 'money, runs and reconciliation',
  support: 'supporters, with bank data masked',
  viewer: 'figures alone, and nobody’s details',
  treasurer: 'their own club or clubs',
};

/** "rovers.example.org": an address as people say it; its last slash would stand alone on a line. */
export const shownAddress = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** Returns words as the beginning of a line. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export const statusNames: Record<PersonStatus, string> = {
  invited: 'Invited',
  active: 'Active',
  removed: 'Removed',
};

const instants = new Intl.DateTimeFormat('en-AU', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Australia/Sydney',
});

/** "23 Nov 2026, 10:15 am", in Sydney. */
export const instantInWords = (instant: string): string => withUnbrokenTime(instants.format(new Date(instant)));

/** "Mon 23 Nov", in Sydney. */
export const instantAsDay = (instant: string): string => shortDay(sydneyDay(new Date(instant)));

const moments = new Intl.DateTimeFormat('en-AU', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'Australia/Sydney',
});

/** "Mon 23 Nov, 10:15 am", in Sydney. */
export const momentInWords = (moment: Date): string =>
  withUnbrokenTime(moments.format(moment).replace(',', '').replace(' at ', ', '));

/** Acts by their code in the audit log; those that are not listed are words already. */
const actsInWords: Record<string, string> = {
  'console signIn': 'Signed in',
  'console confirmSignIn': 'Confirmed with a passkey',
  'console signOut': 'Signed out',
  'console signOutEverywhere': 'Signed out everywhere',
  'console retryFailedJobs': 'Retried failed jobs',
  'console dropFailedJob': 'Dropped a failed job',
  'console retryParkedWork': 'Tried parked work again',
  'console dropParkedWork': 'Dropped parked work',
  'console retryNotifications': 'Processed notifications of a provider again',
  'console dropNotification': 'Dropped a notification of a provider',
  'console runTaskAgain': 'Ran a scheduled task again',
  'console confirmWithCode': 'Confirmed with a code',
  'console matchStatementLine': 'Matched a line of a bank statement',
  'console importStatement': 'Imported a bank statement',
  'console verifyAuditLog': 'Checked the audit log',
  'console reconcileAgain': 'Reconciled again',
  'console writeBankFiles': 'Had bank files written',
  'console downloadBankFile': 'Saved a bank file',
  'console lodgeBankFile': 'Marked a bank file as lodged',
  'console unlodgeBankFile': 'Marked a bank file as not lodged',
  'console withdrawBankFile': 'Withdrew a bank file',
  'console importReturns': "Imported a bank's file of returns",
  'console correctLedger': 'Corrected the ledger, or asked for it',
  'console setClubReserve': 'Set what is held back from a club',
  'console writeOffClub': 'Wrote off what a club owes, or asked for it',
  'console addPasskey': 'Added a passkey',
  'console removePasskey': 'Removed a passkey',
  'console setPassword': 'Set a password and an authenticator',
  'console createApiKey': 'Asked for an API key',
  'console rotateApiKey': 'Asked for another secret of an API key',
  'console revokeApiKey': 'Revoked an API key',
  'console addWebhookEndpoint': 'Added a webhook endpoint',
  'console testWebhookEndpoint': 'Sent a test event',
  'console pauseWebhookEndpoint': 'Paused or resumed a webhook endpoint',
  'console rotateWebhookSecret': 'Rotated a webhook secret',
  'console removeWebhookEndpoint': 'Removed a webhook endpoint',
  'console replayWebhooks': 'Delivered webhooks again',
  'console invitePerson': 'Invited a person',
  'console inviteAgain': 'Mailed an invitation again',
  'console setRoles': 'Changed roles',
  'console recoverPerson': 'Recovered a sign-in',
  'console retryPayment': 'Asked a provider again for a payment',
  'console parkPayment': 'Parked a payment',
  'console failPayment': 'Marked a payment as failed',
  'console refundPayment': 'Refunded a payment, or asked for it',
  'console removePerson': 'Removed a person',
  'console saveTenant': 'Saved a brand',
  'console uploadTenantPicture': 'Uploaded a picture of a brand',
  'console restoreTenant': 'Put back a version of a brand',
  'console approveClubRequest': 'Approved a club that asked to join',
  'console refuseClubRequest': 'Refused a club that asked to join',
  'console addClub': 'Added a club',
  'console saveClub': 'Edited a club',
  'console changeBankDetails': 'Asked for other bank details of a club',
  'console stopBankDetailChange': "Stopped a change of a club's bank details",
  'console setClubContact': "Changed a club's contact",
  'console setClubMails': 'Chose how often a club is mailed',
  'console retireClub': 'Retired a club',
  'console reinstateClub': 'Reinstated a retired club',
  'console runDebits': 'Made a debit run, or asked for it',
  'console stopRun': 'Left a run stopped',
  'console suspendTenant': "Suspended a tenant's debits",
  'console resumeTenant': "Resumed a tenant's debits, or asked for it",
  'console addClosedDay': 'Declared a day closed',
  'console removeClosedDay': 'Took back a closed day',
  'console agreeToApproval': 'Agreed as a second person',
  'console refuseApproval': 'Refused a request',
  'console choosePeopleNeeded': 'Chose how many people decide, or asked for it',
  'console pauseSupporter': 'Paused a supporter',
  'console resumeSupporter': 'Resumed a supporter',
  'console holdSupporter': 'Stopped debits of a supporter',
  'console releaseSupporter': 'Allowed debits of a supporter again',
  'console sendPasswordReset': 'Sent a password reset',
  'console disableSignIn': "Disabled a supporter's sign-in",
  'console enableSignIn': "Enabled a supporter's sign-in",
  'console offerExport': 'Sent a supporter a link to their data',
  'console downloadPayouts': "Saved a file of a club's payouts",
  'console downloadPayoutsOfDays': "Saved a file of a club's payouts of some days",
  'console downloadClubStatement': "Saved a club's statement",
  'console downloadSupporterReceipt': "Saved a supporter's receipt",
  'console deleteBankData': "Deleted a supporter's bank data, or asked for it",
  'console closeSupporter': 'Closed an account',
  'console lookUpAccountHolder': 'Asked a bank whose name is on an account',
  'console approveHolderReview': 'Approved an account in another name',
  'console refuseHolderReview': 'Refused an account in another name',
  'console sendMailAgain': 'Sent a mail again',
  'approval asked': 'Waits for a second person',
  'approval agreed': 'A second person agreed',
  'approval refused': 'The request was refused',
};

const faults = ['unexpected', 'unavailable', 'provider-unavailable'];

const refusalsInWords: Partial<Record<string, string>> = {
  'not-allowed': 'not allowed',
  'not-found': 'not found',
  'invalid-input': 'not valid',
  conflict: 'not possible then',
  'changed-meanwhile': 'somebody else changed it first',
  'requires-recent-login': 'not confirmed',
  'signed-out': 'signed out',
  'too-many-requests': 'too often',
  'provider-unavailable': 'the bank or payment service did not answer',
  unavailable: 'a database did not answer',
  unexpected: 'a fault of the product',
};

/** "Exported audit entries", of the list that was exported. */
const exportInWords = (action: string): string | undefined => {
  const [, list] = /^console export list(\w+)$/.exec(action) ?? [];
  return list && `Exported${list.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
};

/** Returns the codes of the acts whose words have these in them, separated by commas. */
export const actsNamed = (words: string): string =>
  Object.entries(actsInWords)
    .filter(([, named]) => named.toLowerCase().includes(words.trim().toLowerCase()))
    .map(([code]) => code)
    .join(',');

/** "Agreed as a second person: refused (not allowed)". */
export function actInWords({ action, refusal }: Pick<AuditEntry, 'action' | 'refusal'>): string {
  const words = action.startsWith('ops ') ? action : capitalised(action); // a command stays as it is typed
  const act = actsInWords[action] ?? exportInWords(action) ?? words;
  if (refusal === null) return act;
  const because = refusalsInWords[refusal] ?? refusal;
  return faults.includes(refusal)
    ? `${act}: failed, perhaps after a part of it (${because})`
    : `${act}: refused (${because})`;
}
