import * as contract from '@sparechange/contract';
import { monthStart } from '@sparechange/domain';
import { listClubs } from '../apps/server/src/features/clubs/club-repository.ts';
import { notePermission, noteTracking, type Person, yearFrom } from './person.ts';
import { call, tenantAOf, type World } from './world.ts';

/**
 * Takes somebody as far through onboarding as the product lets them now; what could not be done is done on another
 * day. Somebody whose consent has ended goes through the bank's pages and the accounts again.
 */
export async function goOn(world: World, person: Person): Promise<void> {
  const steps = { register, connect, 'choose accounts': chooseAccounts, fund, finish };
  while (person.stage !== 'ready' && person.stage !== 'closed') {
    const before = person.stage;
    await steps[before](world, person);
    if (person.stage === before) return;
  }
}

async function register(world: World, person: Person): Promise<void> {
  const clubs = await listClubs(world.admin);
  const club = clubs[person.number % clubs.length];
  const answer = await call(world, person, contract.register, {
    email: person.email,
    firstName: 'Person',
    lastName: `Number ${person.number}`,
    mobile: '0400000000',
    tenantA: tenantAOf(world, person),
    supportingClubId: club?.id ?? '',
    userId: person.uid,
  });
  if (answer?.status === 200) person.stage = 'connect';
}

async function connect(world: World, person: Person): Promise<void> {
  const { clock, outside, admin } = world;
  const link = await call(world, person, contract.consent, { cdrid: person.supporterId });
  if (link?.status !== 200) return;
  const [row] = await admin<{ customer: string }[]>`
    select bank_customer_id as customer from supporters where supporter_id = ${person.supporterId}`;
  person.customerId = row?.customer ?? '';
  const { crn, institution } = person;
  const connection = { userId: person.customerId, crn, institution };
  person.withdrawnAt = undefined;
  await outside.control('POST', '/connections', connection);
  if (!person.hasConsent) person.consentUntil = yearFrom(clock.peek());
  notePermission(person, clock.peek());
  person.hasConsent = true;
  clock.moveTo(new Date(clock.peek().getTime() + 5_000));
  await outside.catchUp();
  const job = await call(world, person, contract.findJobs, { cdrid: person.supporterId });
  if (job?.status !== 200) return;
  const state = await call(world, person, contract.checkJob, { jobId: job.body.jobId, cdrid: person.supporterId });
  if (state?.status === 200) person.stage = 'choose accounts';
}

/** Reads the accounts and what the product holds of them into what the person knows. */
export async function readAccounts(world: World, person: Person): Promise<boolean> {
  const fetched = await call(world, person, contract.retrieveAccounts, { cdrid: person.supporterId });
  if (fetched?.status !== 200) return false;
  const listed = await call(world, person, contract.accounts, { userId: person.supporterId });
  if (listed?.status !== 200) return false;
  const known = listed.body.accountsData.documents;
  person.accounts = new Map(
    known.map((each) => [each.id, { id: each._id, canFund: each.canFund, isFunding: each.activeDebitEnabled }]),
  );
  return true;
}

/** Chooses which accounts are tracked; `isOn` says so of each by its place. */
export async function trackAccounts(world: World, person: Person, isOn: (place: number) => boolean): Promise<boolean> {
  const chosen = [...person.accounts].map(([account, { id }], place) => ({ account, id, isOn: isOn(place) }));
  if (chosen.length === 0) return false;
  const roundUpAccounts = chosen.map(({ id, isOn }) => ({ accountId: id, activeRoundUpsEnabled: isOn }));
  const answer = await call(world, person, contract.updateRoundUpAccounts, { roundUpAccounts });
  if (answer?.status !== 200) return false;
  const at = world.clock.now();
  const [row] = await world.admin<{ isOnboarded: boolean }[]>`
    select onboarded_on is not null as "isOnboarded" from supporters where supporter_id = ${person.supporterId}`;
  const from = row?.isOnboarded ? world.clock.day() : undefined;
  for (const { account, isOn } of chosen) noteTracking(person, account, at, isOn, from);
  return true;
}

async function chooseAccounts(world: World, person: Person): Promise<void> {
  if (!(await readAccounts(world, person))) return;
  const second = person.number % 3 === 0;
  if (await trackAccounts(world, person, (place) => place === 0 || second)) person.stage = 'fund';
}

/** Agrees to debits of one of the accounts that allow it. */
export async function fundFrom(world: World, person: Person, which: number): Promise<boolean> {
  const able = [...person.accounts].filter(([, { canFund }]) => canFund);
  const [accountId, account] = able[which % Math.max(1, able.length)] ?? [];
  if (!accountId || !account) return false;
  person.stoppedAt = undefined; // an answer that is lost may have been a yes
  const answer = await call(world, person, contract.registerFunding, {
    accountId,
    account_id: account.id,
    tenantA: tenantAOf(world, person),
    activeDebitEnabled: true,
    cdrid: person.supporterId,
  });
  if (answer?.status !== 200) return false;
  for (const each of person.accounts.values()) each.isFunding = each === account;
  return true;
}

async function fund(world: World, person: Person): Promise<void> {
  if (await fundFrom(world, person, 0)) person.stage = 'finish';
}

async function finish(world: World, person: Person): Promise<void> {
  const syncBeginningOfMonth = person.number % 2 === 0;
  const input = { cdrid: person.supporterId, syncBeginningOfMonth };
  const answer = await call(world, person, contract.onboardingComplete, input);
  if (answer?.status === 409) person.stage = 'connect'; // the consent or the account is gone again
  if (answer?.status !== 200) return;
  person.stage = 'ready';
  const day = world.clock.day();
  person.firstDay ??= syncBeginningOfMonth ? monthStart(day) : day;
}
