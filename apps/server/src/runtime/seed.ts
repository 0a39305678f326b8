import { readFile } from 'node:fs/promises';
import type { InputOf, register } from '@sparechange/contract';
import { z } from 'zod';
import { supporterIdOf } from '#caller.ts';
import { decodeText } from '#decode-text.ts';
import { listClubs } from '#features/beneficiaries/clubs/club-repository.ts';
import { importClubs } from '#features/beneficiaries/clubs/import-clubs.ts';
import { linkAddress, makeLink } from '#features/console/operators/links.ts';
import { inviteOperator } from '#features/console/operators/manage-operators.ts';
import { findOperatorByEmail } from '#features/console/operators/operator-repository.ts';
import { listAccounts } from '#features/supporters/accounts/account-repository.ts';
import { chooseFundingAccount } from '#features/supporters/accounts/choose-funding-account.ts';
import { chooseRoundUpAccounts } from '#features/supporters/accounts/choose-round-up-accounts.ts';
import { retrieveAccounts } from '#features/supporters/accounts/retrieve-accounts.ts';
import { bankCustomer, confirmJobs } from '#features/supporters/consents/consent-link.ts';
import { completeOnboarding } from '#features/supporters/onboarding/complete-onboarding.ts';
import { registerSupporter } from '#features/supporters/onboarding/register-supporter.ts';
import { findSupporter } from '#features/supporters/profiles/supporter-repository.ts';
import { syncPurchases } from '#features/supporters/round-ups/sync-purchases.ts';
import { createUser } from '#identity/users.ts';
import { tenantA } from '#tenants/load-tenants.ts';
import type { Runtime } from './compose.ts';
import { dependencies } from './dependencies.ts';
import { tenantsFolder } from './make-parts.ts';
import { controlSandbox } from './sandbox-control.ts';

export interface DemoSignIn {
  email: string;
  password: string;
}

const demo: DemoSignIn = { email: 'demo@sparechange.example', password: 'spare-change-demo' };
const demoCrn = '20261121';

/**
 * Fills a new database: the clubs, and one supporter who is ready to sign in, linked to the sandbox's bank through the
 * same use cases as everybody. Again it changes nothing; without a sandbox there are only clubs.
 */
export async function seed(runtime: Runtime): Promise<DemoSignIn | undefined> {
  const { db, clock, encryption, config } = runtime;
  if ((await listClubs(db)).length === 0) {
    await importClubs(db, encryption, decodeText(await readFile(`${tenantsFolder}/clubs.csv`)), clock.now());
  }
  if (!config.sandbox || config.firebase) return undefined;
  const { uid } = await createUser(db, demo.email, demo.password);
  const form = { firstName: 'Robin', lastName: 'Demo', mobile: '0400000000' };
  try {
    await makeReadySupporter(runtime, { ...form, uid, email: demo.email }, demoCrn);
  } catch (error) {
    runtime.log.warn({ err: error }, 'the demo supporter is not ready; the next start tries again');
  }
  return demo;
}

const owner = { email: 'owner@sparechange.example', name: 'Olive Owner', roles: ['owner' as const], clubIds: [] };
const treasurer = { email: 'treasurer@sparechange.example', name: 'Terry Treasurer', roles: ['treasurer' as const] };

export interface DemoConsole {
  /** Opens once, until somebody has chosen how the owner signs in. */
  ownerLink: URL | undefined;
  owner: string;
  treasurer: string;
}

/** Invites an owner and a treasurer of the first club; the owner's link is made again until it was used. */
export async function seedConsole(runtime: Runtime): Promise<DemoConsole> {
  const { db, consoleUrl, operatorLinks } = runtime;
  const [club] = await listClubs(db);
  if (!(await findOperatorByEmail(db, owner.email))) await inviteOperator(runtime, owner);
  if (club && !(await findOperatorByEmail(db, treasurer.email)))
    await inviteOperator(runtime, { ...treasurer, clubIds: [club.id] });
  const known = await findOperatorByEmail(db, owner.email);
  const isNew = known !== undefined && known.passkeys === 0 && !known.hasPassword;
  const linkId = isNew ? await makeLink(db, known.id, 'invitation') : undefined;
  const ownerLink = linkId ? linkAddress(consoleUrl, operatorLinks, linkId) : undefined;
  return { ownerLink, owner: owner.email, treasurer: treasurer.email };
}

export interface NewSupporter {
  uid: string;
  email: string;
  firstName: string;
  lastName: string;
  mobile: string;
}

/** Takes a new user through registration, consent, accounts and onboarding. */
export async function makeReadySupporter(whole: Runtime, person: NewSupporter, crn: string): Promise<string> {
  const supporterId = supporterIdOf(person.uid);
  const runtime = { ...whole, db: whole.db.of(supporterId) };
  const { db, clock, bankLink } = runtime;
  const deps = dependencies(runtime);
  if ((await findSupporter(db, supporterId))?.onboardedOn) return supporterId;
  await registerPerson(runtime, person);
  const customer = await bankCustomer(db, bankLink, supporterId);
  const connection = { userId: customer, crn, job: { takes: 'instant' } };
  const { jobId } = await controlSandbox(runtime.config, '/connections', connection, z.object({ jobId: z.string() }));
  await untilConnected(runtime, customer, jobId);
  await confirmJobs(runtime, { supporterId, bankCustomerId: customer }, [jobId]);
  const accountDeps = { ...deps, encryption: runtime.encryption };
  await retrieveAccounts(accountDeps, supporterId);
  const accounts = await listAccounts(db, supporterId);
  const everyday = accounts.find((account) => account.canFund);
  if (!everyday) throw new Error('The sandbox bank shows no account that could be debited.');
  const chosen = accounts.map((account) => ({ accountId: account.id, activeRoundUpsEnabled: account === everyday }));
  await chooseRoundUpAccounts(db, clock, supporterId, chosen);
  const funding = { accountId: everyday.id, providerAccountId: everyday.providerAccountId };
  await chooseFundingAccount(accountDeps, supporterId, funding, {
    tenant: runtime.tenants.byKey('default') ?? { key: 'default' },
    ip: '127.0.0.1',
    userAgent: 'seed',
  });
  await completeOnboarding(db, clock, supporterId, true);
  await syncPurchases(deps, supporterId);
  return supporterId;
}

async function registerPerson(runtime: Runtime, person: NewSupporter): Promise<void> {
  const tenant = runtime.tenants.byKey('default');
  const [club] = await listClubs(runtime.db);
  if (!tenant || !club) throw new Error('The default tenant or the clubs are missing.');
  const { uid, email, ...names } = person;
  const form: InputOf<typeof register> = {
    ...names,
    email,
    tenantA: tenantA(tenant),
    supportingClubId: club.id,
    userId: uid,
  };
  await registerSupporter(runtime, tenant, { uid, email, supporterId: supporterIdOf(uid) }, form, 'seed');
}

async function untilConnected({ bankLink }: Runtime, customer: string, jobId: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if ((await bankLink.jobState(customer, jobId)) === 'done') return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('The sandbox bank did not connect.');
}
