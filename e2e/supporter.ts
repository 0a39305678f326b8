import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import * as contract from '@sparechange/contract';

const port = () => Number(process.env.E2E_PORT);
export const product = () => `http://localhost:${port()}`;
export const sandbox = () => `http://localhost:${port() + 1}`;
/** The product on a tenant's own host. */
export const tenantHome = (key: string) => `http://${key}.sparechange.localhost:${port()}`;

const tenantFile = (key: string) => new URL(`../tenants/${key}.json`, import.meta.url);
export const tenantSettings = (key: string) =>
  contract.TenantSettings.parse(JSON.parse(readFileSync(tenantFile(key), 'utf8')));

export interface Supporter {
  email: string;
  password: string;
  userId: string;
  cdrid: string;
  idToken: string;
}

interface SupporterOptions {
  /** The supporter's club; by default one without its own home. */
  clubId?: string;
  crn?: string;
  /** The last completed step. */
  upTo?: 'identity' | 'registered' | 'connected' | 'onboarded';
}

/** Calls an operation as the web app does. */
async function callProduct<Op extends Operation>(
  operation: Op,
  input: InputOf<Op>,
  idToken?: string,
): Promise<OutputOf<Op>> {
  const { apikey, tenant } = tenantSettings('default');
  const headers: Record<string, string> = { apikey, tenant };
  if (idToken) headers.authorization = `Bearer ${idToken}`;
  const isGet = operation.method === 'GET';
  if (!isGet) headers['content-type'] = 'application/json';
  const answer = await fetch(`${product()}/api${operation.path}`, {
    method: operation.method,
    headers,
    body: isGet ? null : JSON.stringify(input),
  });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${operation.name}: ${answer.status} ${JSON.stringify(body)}`);
  return operation.output.parse(body) as OutputOf<Op>;
}

async function postJson<Answer>(url: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Gives once, in dollars. */
export const donate = ({ cdrid, idToken }: Supporter, amount: number) =>
  callProduct(contract.donateNow, { values: { amount, cdrid } }, idToken);

/** Creates a supporter with a password through the product's calls. */
export async function aSupporter(overrides: SupporterOptions = {}): Promise<Supporter> {
  const { crn = '12345678', upTo = 'onboarded' } = overrides;
  const email = `${randomUUID().slice(0, 13)}@example.com`;
  const password = 'correct horse battery';
  const config = contract.BrowserConfig.parse(await (await fetch(`${product()}/config.json`)).json());
  const { localId: userId, idToken } = await postJson<{ localId: string; idToken: string }>(
    `${product()}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${config.identity.apiKey}`,
    { email, password, returnSecureToken: true },
  );
  if (upTo === 'identity') return { email, password, userId, idToken, cdrid: '' };
  const clubId = overrides.clubId ?? tenantSettings('demo').clubID ?? '';
  const { CDRID: cdrid } = await callProduct(
    contract.register,
    {
      email,
      userId,
      firstName: 'Mira',
      lastName: 'Halloran',
      mobile: '0412345678',
      tenantA: 'default',
      supportingClubId: clubId,
    },
    idToken,
  );
  const supporter = { email, password, userId, idToken, cdrid };
  if (upTo !== 'registered') await connectBank(supporter, crn);
  if (upTo === 'onboarded') await onboard(supporter);
  return supporter;
}

async function connectBank({ cdrid, userId, idToken }: Supporter, crn: string): Promise<void> {
  const { consentLink } = await callProduct(contract.consent, { cdrid }, idToken);
  const nonce = await openLink(consentLink);
  const { document } = (await callProduct(contract.getUser, { userId }, idToken)).userRecord;
  const customer = { userId: document.externalUserId, crn };
  const { jobId } = await postJson<{ jobId: string }>(`${sandbox()}/control/connections`, customer);
  await callProduct(contract.confirmConnection, { cdrid, nonce, jobIds: [jobId] }, idToken);
  await expect
    .poll(async () => (await callProduct(contract.checkJob, { jobId, cdrid }, idToken)).status, { intervals: [250] })
    .toBe(200);
  await callProduct(contract.retrieveAccounts, { cdrid }, idToken);
}

/** Opens a link to the bank as the browser does, and returns the nonce sent back. */
async function openLink(consentLink: string): Promise<string> {
  const opened = await fetch(consentLink, { redirect: 'manual' });
  const state = URL.parse(opened.headers.get('location') ?? '')?.searchParams.get('state') ?? null;
  const nonce = contract.readBankState(state)?.nonce;
  if (!nonce) throw new Error(`The link leads to no bank: ${opened.status}`);
  return nonce;
}

async function onboard({ cdrid, idToken }: Supporter): Promise<void> {
  const { documents } = (await callProduct(contract.accounts, { userId: cdrid }, idToken)).accountsData;
  const everyday = documents.find((account) => account.canFund);
  if (!everyday) throw new Error('The bank shows no account that can be debited');
  const RoundUpAccounts = documents.map(({ _id }) => ({ accountId: _id, activeRoundUpsEnabled: _id === everyday._id }));
  await callProduct(contract.setRoundUpAccounts, { RoundUpAccounts }, idToken);
  const funding = { accountId: everyday.id, account_id: everyday._id, activeDebitEnabled: true as const };
  await callProduct(contract.registerFunding, { ...funding, tenantA: 'default', cdrid }, idToken);
  await callProduct(contract.onboardingComplete, { cdrid, syncBeginningOfMonth: true }, idToken);
}
