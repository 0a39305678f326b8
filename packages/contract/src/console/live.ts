import { z } from 'zod';
import { consoleOperation } from './operation.ts';

/** Operations of Today and Runs, whose answers are read every few seconds while somebody follows them. */
export const followedByFigures = [
  'retrieveToday',
  'listApprovals',
  'listRuns',
  'retrieveRun',
  'retrieveRunState',
] as const;
export type FollowedByFigures = (typeof followedByFigures)[number];

/** Operations of all other pages, which follow changes of the tables that they read. */
export const followedByTables = [
  'listApiKeys',
  'listAuditEntries',
  'listBankFiles',
  'listBookChecks',
  'listBrandFigures',
  'listClosedDays',
  'listClubPayouts',
  'listClubRequests',
  'listClubs',
  'listCorrections',
  'listFailedJobs',
  'listFailedNotifications',
  'listHolderReviews',
  'listLedgerAccounts',
  'listMails',
  'listParkedWork',
  'listPayments',
  'listPeople',
  'listQueues',
  'listReceivables',
  'listReturnsFiles',
  'listStatementLines',
  'listSupporterReceipts',
  'listSupporters',
  'listTenantNames',
  'listTenants',
  'listTenantVersions',
  'listTimetable',
  'listWebhookAttempts',
  'listWebhookEndpoints',
  'retrieveAuditState',
  'retrieveBankDetailChange',
  'retrieveBankFileState',
  'retrieveClub',
  'retrieveClubBalance',
  'retrieveClubChoices',
  'retrieveClubContact',
  'retrieveClubFigures',
  'retrieveClubLink',
  'retrieveClubStatement',
  'retrieveDay',
  'retrieveMailState',
  'retrievePayment',
  'retrievePendingPayouts',
  'retrievePeopleNeeded',
  'retrieveSupporter',
  'retrieveTimeline',
  'retrieveTrustBalance',
] as const;
export type FollowedByTables = (typeof followedByTables)[number];

/** Operations whose answers are followed while a page shows them. */
export const followed: readonly string[] = [...followedByFigures, ...followedByTables];

/** Streams as server-sent events which of them may answer otherwise now. It does not end, and is in no list of calls. */
export const followChanges = consoleOperation({
  name: 'followChanges',
  method: 'GET',
  path: '/live',
  allowed: ['owner', 'finance', 'support', 'viewer'],
  readsOnly: true,
  input: z.object({}),
  output: z.object({ changed: z.array(z.string()) }),
});
