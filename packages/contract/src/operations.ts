import * as accounts from './accounts.ts';
import * as clubRequests from './club-requests.ts';
import * as clubs from './clubs.ts';
import * as consent from './consent.ts';
import * as donations from './donations.ts';
import * as handoff from './handoff.ts';
import * as history from './history.ts';
import * as historyLines from './history-lines.ts';
import * as identity from './identity.ts';
import * as nextDebit from './next-debit.ts';
import * as leaving from './offboarding.ts';
import * as onboarding from './onboarding.ts';
import type { Operation } from './operation.ts';
import * as ownRenewal from './own-renewal.ts';
import * as receipts from './receipts.ts';
import * as roundups from './roundups.ts';
import * as savings from './savings.ts';
import * as savingsSplit from './savings-split.ts';
import * as sessions from './sessions.ts';
import * as weeklyProjection from './weekly-projection.ts';

/**
 * Every operation that is served, in the specified order: first the calls with literal paths, then the named ones;
 * then what we add to them; last the hand-off. Which name has which declared path is decided in
 * docs/decisions/programs-and-webhooks.md#operations-and-paths.
 */
export const operations: readonly Operation[] = [
  identity.getUser,
  onboarding.register,
  consent.consent,
  accounts.registerFunding,
  consent.extendConsent,
  consent.renewExpiredConsent,
  clubs.findClubBySlug,
  clubs.retrieveClubs,
  clubs.findClub,
  clubs.setAdviceFrequencyByLink,
  clubRequests.askToJoin,
  clubRequests.confirmClubRequest,
  consent.manageConsent,
  consent.checkConsent,
  consent.findJobs,
  consent.checkJob,
  consent.confirmConnection,
  accounts.retrieveAccounts,
  accounts.accounts,
  accounts.setRoundUpAccounts,
  accounts.updateRoundUpAccounts,
  accounts.updateFundingAccount,
  roundups.setPaused,
  roundups.setRoundUpAmount,
  roundups.setWeeklyLimit,
  savings.setSavingsAccount,
  savings.submitSavingsAccount,
  savings.retrieveLinkedSavings,
  donations.donateNow,
  donations.undoDonation,
  onboarding.onboardingComplete,
  history.debitsYTD,
  history.debitsAllTime,
  history.retrieveTotalDebits,
  historyLines.retrieveHistory,
  historyLines.retrieveLine,
  weeklyProjection.retrieveWeeklyOutlook,
  weeklyProjection.retrieveAccountEstimates,
  weeklyProjection.retrieveBackdating,
  history.retrieveGivenPicture,
  savingsSplit.retrieveSavingsSplit,
  ownRenewal.renewOwnConsent,
  nextDebit.retrieveNextDebit,
  nextDebit.setDebitSkipped,
  receipts.listReceipts,
  receipts.downloadReceipt,
  nextDebit.setDebitNotices,
  nextDebit.setBalanceFloor,
  nextDebit.skipDebitByLink,
  nextDebit.setDebitNoticesByLink,
  leaving.retrieveOffboardingStatus,
  leaving.stopDebits,
  leaving.withdrawConsent,
  leaving.deleteBankData,
  leaving.downloadEverything,
  leaving.closeAccount,
  handoff.createHandoff,
  handoff.confirmHandoff,
  handoff.exchangeHandoff,
  sessions.confirmEmail,
  sessions.endSession,
  sessions.endEverySession,
];
