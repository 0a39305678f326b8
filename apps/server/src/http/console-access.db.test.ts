import {
  type Allowed,
  type ConsoleOperation,
  consoleOperations,
  type Role,
  roles,
} from '@sparechange/contract/console';
import { beforeAll, describe, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';
import { consoleInputs } from './testing/console-inputs.ts';

const owner: Role[] = ['owner'];
const figures: Role[] = ['owner', 'finance', 'support', 'viewer', 'treasurer'];
const organisation: Role[] = ['owner', 'finance', 'support', 'viewer'];
const readers: Role[] = ['owner', 'finance', 'support', 'treasurer'];
const clubs: Role[] = ['owner', 'finance', 'treasurer'];

/** Callers of each operation: a changed declaration has to be changed here too. */
const rows: Record<string, Allowed> = {
  retrieveSession: 'anyone',
  beginPasskeySignIn: 'anyone',
  finishPasskeySignIn: 'anyone',
  signInWithPassword: 'anyone',
  requestSignInLink: 'anyone',
  listFailedJobs: ['owner', 'finance', 'support'],
  retryFailedJobs: owner,
  dropFailedJob: owner,
  listParkedWork: ['owner', 'finance', 'support'],
  retryParkedWork: owner,
  dropParkedWork: owner,
  listQueues: ['owner', 'finance', 'support'],
  listTimetable: ['owner', 'finance', 'support'],
  runTaskAgain: owner,
  signInWithLink: 'anyone',
  retrieveDay: ['owner', 'finance', 'viewer'],
  listStatementLines: ['owner', 'finance'],
  matchStatementLine: ['owner', 'finance'],
  importStatement: ['owner', 'finance'],
  retrieveTrustBalance: ['owner', 'finance', 'viewer'],
  listLedgerAccounts: ['owner', 'finance'],
  listReceivables: ['owner', 'finance', 'viewer'],
  listBookChecks: ['owner', 'finance', 'viewer'],
  reconcileAgain: ['owner', 'finance'],
  retrieveBankFileState: ['owner', 'finance', 'viewer'],
  listBankFiles: ['owner', 'finance', 'viewer'],
  writeBankFiles: ['owner', 'finance'],
  downloadBankFile: ['owner', 'finance'],
  lodgeBankFile: ['owner', 'finance'],
  unlodgeBankFile: ['owner', 'finance'],
  withdrawBankFile: ['owner', 'finance'],
  importReturns: ['owner', 'finance'],
  listReturnsFiles: ['owner', 'finance'],
  listCorrections: ['owner', 'finance'],
  correctLedger: ['owner', 'finance'],
  retrieveClubBalance: ['owner', 'finance'],
  setClubReserve: ['owner', 'finance'],
  writeOffClub: ['owner', 'finance'],
  beginSingleSignOn: 'anyone',
  finishSingleSignOn: 'anyone',
  confirmWithCode: 'signed_in',
  signOut: 'signed_in',
  signOutEverywhere: 'signed_in',
  retrieveSignIn: 'signed_in',
  beginPasskey: 'signed_in',
  addPasskey: 'signed_in',
  removePasskey: 'signed_in',
  beginPassword: 'signed_in',
  setPassword: 'signed_in',
  listApiKeys: owner,
  createApiKey: owner,
  rotateApiKey: owner,
  revokeApiKey: owner,
  retrieveProgramApi: owner,
  listWebhookEndpoints: owner,
  addWebhookEndpoint: owner,
  testWebhookEndpoint: owner,
  pauseWebhookEndpoint: owner,
  rotateWebhookSecret: owner,
  removeWebhookEndpoint: owner,
  listWebhookAttempts: owner,
  replayWebhooks: owner,
  listPeople: owner,
  invitePerson: owner,
  inviteAgain: owner,
  setRoles: owner,
  recoverPerson: owner,
  removePerson: owner,
  findClubs: ['owner', 'finance', 'support'],
  listPayments: ['owner', 'finance', 'support'],
  listClubs: organisation,
  listBrandFigures: organisation,
  retrieveClubStatement: ['owner', 'finance'],
  downloadClubStatement: ['owner', 'finance'],
  retrieveClubChoices: organisation,
  retrieveClub: organisation,
  addClub: owner,
  saveClub: owner,
  retireClub: owner,
  reinstateClub: owner,
  listClubRequests: ['owner', 'support'],
  lookUpAbn: ['owner', 'support'],
  approveClubRequest: owner,
  refuseClubRequest: owner,
  retrievePayment: ['owner', 'finance', 'support'],
  retryPayment: ['owner', 'finance'],
  parkPayment: ['owner', 'finance'],
  failPayment: ['owner', 'finance'],
  refundPayment: ['owner', 'finance'],
  retrieveBankDetailChange: readers,
  changeBankDetails: clubs,
  stopBankDetailChange: clubs,
  listAuditEntries: owner,
  retrieveAuditState: owner,
  listSupporters: ['owner', 'finance', 'support'],
  retrieveSupporter: ['owner', 'finance', 'support'],
  retrieveTimeline: ['owner', 'finance', 'support'],
  retrieveRequestText: ['owner', 'finance', 'support'],
  listSupporterReceipts: ['owner', 'finance', 'support'],
  downloadSupporterReceipt: ['owner', 'finance', 'support'],
  pauseSupporter: ['owner', 'support'],
  resumeSupporter: ['owner', 'support'],
  holdSupporter: ['owner', 'support'],
  releaseSupporter: ['owner', 'support'],
  sendPasswordReset: ['owner', 'support'],
  disableSignIn: ['owner', 'support'],
  enableSignIn: ['owner', 'support'],
  offerExport: ['owner', 'support'],
  deleteBankData: ['owner', 'support'],
  closeSupporter: ['owner', 'support'],
  listHolderReviews: ['owner', 'finance', 'support'],
  lookUpAccountHolder: ['owner', 'finance'],
  approveHolderReview: ['owner', 'finance'],
  refuseHolderReview: ['owner', 'finance'],
  listMails: ['owner', 'finance', 'support'],
  previewMail: ['owner', 'finance', 'support'],
  sendMailAgain: ['owner', 'support'],
  retrieveMailState: ['owner', 'finance', 'support'],
  listTenants: organisation,
  retrieveTenant: owner,
  checkTenant: owner,
  saveTenant: owner,
  listTenantVersions: owner,
  restoreTenant: owner,
  retrieveToday: organisation,
  listRuns: ['owner', 'finance', 'viewer'],
  retrieveRun: ['owner', 'finance', 'viewer'],
  retrieveRunState: ['owner', 'finance', 'viewer'],
  planRun: ['owner', 'finance'],
  runDebits: ['owner', 'finance'],
  stopRun: ['owner', 'finance'],
  suspendTenant: ['owner', 'finance'],
  resumeTenant: ['owner', 'finance'],
  listClosedDays: ['owner', 'finance', 'viewer'],
  addClosedDay: ['owner', 'finance'],
  removeClosedDay: ['owner', 'finance'],
  listApprovals: ['owner', 'finance'],
  agreeToApproval: ['owner', 'finance'],
  refuseApproval: ['owner', 'finance'],
  retrievePeopleNeeded: owner,
  choosePeopleNeeded: owner,
  retrieveClubFigures: figures,
  listClubPayouts: figures,
  retrievePendingPayouts: figures,
  downloadPayouts: clubs,
  downloadPayoutsOfDays: ['owner', 'finance'],
  retrieveClubLink: readers,
  downloadPoster: readers,
  uploadTenantPicture: owner,
  retrieveClubContact: readers,
  setClubContact: clubs,
  setClubMails: clubs,
};

const api = ownApp({ edge: { rateLimitFactor: 0 } });
let own: string;
let other: string;
beforeAll(async () => {
  own = await aClub(api.db, { slug: 'own' });
  other = await aClub(api.db, { slug: 'other' });
});

test('every operation of the console is in this table, and says for whom it is', () => {
  expect(Object.keys(rows).toSorted()).toEqual(consoleOperations.map(({ name }) => name).toSorted());
  const paths = consoleOperations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(paths).size).toBe(paths.length);
  for (const { name, allowed } of consoleOperations) expect([name, allowed]).toEqual([name, rows[name]]);
});

test('what a treasurer may call names the club', () => {
  const nameless = consoleOperations.filter(({ allowed, clubField }) => allowed.includes('treasurer') && !clubField);
  expect(nameless.map(({ name }) => name)).toEqual([]);
});

const roleRefusal = 'Your role does not allow this.';

/** Calls with a new session, since some calls end it. */
async function outcome(operation: ConsoleOperation, role: Role, clubId: string): Promise<'refused' | 'let in'> {
  const input = {
    ...consoleInputs[operation.name]?.(),
    ...(operation.clubField ? { [operation.clubField]: clubId } : {}),
  };
  const person = await anOperator(api.db, { roles: [role], clubIds: role === 'treasurer' ? [own] : [] });
  const { status, body } = await callConsole(api.app, operation, input, person);
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  expect(status).not.toBe(401);
  return status === 403 && body.error.message === roleRefusal ? 'refused' : 'let in';
}

describe.each(consoleOperations)('$name', (operation) => {
  const allowed = rows[operation.name] ?? [];
  const input = consoleInputs[operation.name] ?? (() => ({}));

  test.each(roles)('is answered to a %s as declared', async (role) => {
    const isAllowed = typeof allowed === 'string' || allowed.includes(role);
    expect(await outcome(operation, role, own)).toBe(isAllowed ? 'let in' : 'refused');
    if (operation.clubField && role === 'treasurer') expect(await outcome(operation, role, other)).toBe('refused');
  });

  test('is refused to somebody signed out unless it is for anyone', async () => {
    const { status, body } = await callConsole(api.app, operation, input());
    if (allowed === 'anyone') expect(status).not.toBe(401);
    else expect([status, body.error.code]).toEqual([401, 'signed-out']);
  });

  test('is refused to other sites', async () => {
    const { cookie } = await anOperator(api.db);
    for (const headers of [
      { 'x-sparechange-console': '' },
      { origin: 'https://sparechange.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { status, body } = await callConsole(api.app, operation, input(), { cookie, headers });
      expect([status, body.error.message]).toEqual([403, 'This call does not come from the console.']);
    }
  });

  if (allowed === 'anyone' || operation.readsOnly) return;

  test('is in the audit log with the person', async () => {
    const { id, cookie } = await anOperator(api.db);
    await callConsole(api.app, operation, input(), { cookie });
    const entries = await api.db`
      select action from audit_log where details ->> 'operator' = ${id} and action = ${`console ${operation.name}`}`;
    expect(entries).toHaveLength(1);
  });
});
