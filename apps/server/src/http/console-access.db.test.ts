import {
  type Allowed,
  type ConsoleOperation,
  consoleOperations,
  type Role,
  roles,
} from '@sparechange/contract/console';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignInMethod } from '#features/console/operators/session-repository.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, exampleOf } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';

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
  listFailedNotifications: ['owner', 'finance', 'support'],
  retryNotifications: owner,
  dropNotification: owner,
  listQueues: ['owner', 'finance', 'support'],
  listTimetable: ['owner', 'finance', 'support'],
  runTaskAgain: owner,
  signInWithLink: 'anyone',
  retrieveDay: ['owner', 'finance', 'viewer'],
  listStatementLines: ['owner', 'finance'],
  matchStatementLine: ['owner', 'finance'],
  previewStatement: ['owner', 'finance'],
  importStatement: ['owner', 'finance'],
  takeBackStatement: ['owner', 'finance'],
  listStatementImports: ['owner', 'finance'],
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
  findClubs: owner,
  listPayments: ['owner', 'finance', 'support'],
  sumPayments: ['owner', 'finance', 'support'],
  retrieveMoney: organisation,
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
  lookUpAbn: owner,
  approveClubRequest: owner,
  refuseClubRequest: owner,
  retrievePayment: ['owner', 'finance', 'support'],
  retryPayment: ['owner', 'finance'],
  parkPayment: ['owner', 'finance'],
  failPayment: ['owner', 'finance'],
  refundPayment: ['owner', 'finance'],
  retrieveBankDetailChange: clubs,
  changeBankDetails: clubs,
  stopBankDetailChange: clubs,
  listAuditEntries: owner,
  retrieveAuditState: owner,
  verifyAuditLog: owner,
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
  listTenantNames: owner,
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
  setClubContact: ['owner', 'treasurer'],
  setClubMails: ['owner', 'treasurer'],
  setClubGoal: ['owner', 'treasurer'],
};

/** Acts that ask for the passkey or code again: a changed declaration has to be changed here too. */
const dangerous = `
  dropFailedJob dropParkedWork dropNotification runTaskAgain
  matchStatementLine importStatement takeBackStatement reconcileAgain correctLedger setClubReserve writeOffClub
  writeBankFiles downloadBankFile lodgeBankFile unlodgeBankFile withdrawBankFile importReturns
  beginPasskey addPasskey removePasskey beginPassword setPassword
  createApiKey rotateApiKey revokeApiKey addWebhookEndpoint rotateWebhookSecret removeWebhookEndpoint
  invitePerson inviteAgain setRoles recoverPerson removePerson
  addClub saveClub retireClub reinstateClub approveClubRequest refuseClubRequest
  changeBankDetails stopBankDetailChange setClubContact
  retryPayment failPayment refundPayment
  disableSignIn enableSignIn deleteBankData closeSupporter approveHolderReview refuseHolderReview
  saveTenant restoreTenant
  runDebits stopRun suspendTenant resumeTenant addClosedDay removeClosedDay
  agreeToApproval refuseApproval choosePeopleNeeded
`
  .trim()
  .split(/\s+/);

/** Acts of a treasurer, for which an emailed link is not enough. */
const actsOfTreasurers = ['changeBankDetails', 'stopBankDetailChange', 'setClubContact', 'setClubMails', 'setClubGoal'];

const api = ownApp({ edge: { rateLimitFactor: 0 } });
let own: string;
let other: string;
beforeAll(async () => {
  own = await aClub(api.db, { slug: 'own' });
  other = await aClub(api.db, { slug: 'other' });
});

test('every operation of the console is in this table, with the roles allowed', () => {
  expect(Object.keys(rows).toSorted()).toEqual(consoleOperations.map(({ name }) => name).toSorted());
  const paths = consoleOperations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(paths).size).toBe(paths.length);
  for (const { name, allowed } of consoleOperations) expect([name, allowed]).toEqual([name, rows[name]]);
});

test('the dangerous acts are those of this list', () => {
  const declared = consoleOperations.filter(({ isDangerous }) => isDangerous).map(({ name }) => name);
  expect(declared.toSorted()).toEqual(dangerous.toSorted());
});

test('every operation open to a treasurer names the club', () => {
  const nameless = consoleOperations.filter(({ allowed, clubField }) => allowed.includes('treasurer') && !clubField);
  expect(nameless.map(({ name }) => name)).toEqual([]);
});

const roleRefusal = 'Your role does not allow this.';

/** Returns an input of the operation, about the club where it names one. */
const inputOf = (operation: ConsoleOperation, clubId: string) => ({
  ...exampleOf(operation),
  ...(operation.clubField ? { [operation.clubField]: clubId } : {}),
});

/** Calls with a new session, since some calls end it. */
async function outcome(
  operation: ConsoleOperation,
  role: Role,
  clubId: string,
  method: SignInMethod = 'passkey',
): Promise<'refused' | 'let in'> {
  const person = await anOperator(api.db, { roles: [role], clubIds: role === 'treasurer' ? [own] : [], method });
  const { status, body } = await callConsole(api.app, operation, inputOf(operation, clubId), person);
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  expect(status).not.toBe(401);
  return status === 403 && body.error.message === roleRefusal ? 'refused' : 'let in';
}

/** Calls with a sign-in of one's own that was given more than five minutes ago. */
async function outcomeOfOldSignIn(operation: ConsoleOperation, role: Role, method: SignInMethod) {
  const person = await anOperator(api.db, { roles: [role], clubIds: role === 'treasurer' ? [own] : [], method });
  await api.db`
    insert into operator_passkeys (id, operator_id, name, public_key, counter, transports)
    values (${person.id}, ${person.id}, 'Phone', '', 0, '{}')`;
  await api.db`
    update operator_sessions set confirmed_at = now() - interval '301 seconds' where operator_id = ${person.id}`;
  const { status, body } = await callConsole(api.app, operation, inputOf(operation, own), person);
  return [status, body.error?.code, body.error?.message];
}

describe.each(consoleOperations)('$name', (operation) => {
  const allowed = rows[operation.name] ?? [];
  const input = () => exampleOf(operation);

  test.each(roles)('is answered to a %s as declared', async (role) => {
    const isAllowed = typeof allowed === 'string' || allowed.includes(role);
    expect(await outcome(operation, role, own)).toBe(isAllowed ? 'let in' : 'refused');
    if (operation.clubField && role === 'treasurer') expect(await outcome(operation, role, other)).toBe('refused');
  });

  test('is answered to a treasurer who came by an emailed link as long as it reads', async () => {
    const reads = allowed.includes('treasurer') && !actsOfTreasurers.includes(operation.name);
    const isAllowed = typeof allowed === 'string' || reads;
    expect(await outcome(operation, 'treasurer', own, 'link')).toBe(isAllowed ? 'let in' : 'refused');
    expect(await outcome(operation, 'treasurer', other, 'link')).toBe(
      typeof allowed === 'string' ? 'let in' : 'refused',
    );
  });

  test('asks for the passkey or code again if it is dangerous', async () => {
    for (const role of typeof allowed === 'string' ? (['owner'] as const) : allowed) {
      const [status, code] = await outcomeOfOldSignIn(operation, role, 'passkey');
      if (dangerous.includes(operation.name))
        expect([role, status, code]).toEqual([role, 403, 'requires-recent-login']);
      else expect(code).not.toBe('requires-recent-login');
    }
  });

  if (allowed === 'signed_in' && dangerous.includes(operation.name))
    test('is refused by an emailed link to a treasurer who has a passkey', async () => {
      const [status, , message] = await outcomeOfOldSignIn(operation, 'treasurer', 'link');
      expect([status, message]).toEqual([403, 'Please sign in with your passkey or password.']);
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
