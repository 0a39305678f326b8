import * as contract from '@sparechange/contract';
import { monthStart } from '@sparechange/domain';
import { isOver } from '../apps/server/src/features/clubs/campaigns.ts';
import { type Club, listClubs } from '../apps/server/src/features/clubs/club-repository.ts';
import { clubEnd } from '../apps/server/src/tenants/campaign-end.ts';
import { openLink } from './forwarded-link.ts';
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
  const { tenants } = world.product().runtime;
  const ended = (club: Club) => isOver(clubEnd(tenants.list(), club), world.clock.day());
  // Some people try the club of an ended campaign first, which the product has to refuse.
  if (person.number % 4 === 0) await registerFor(world, person, clubs.find(ended), true);
  const running = clubs.filter((club) => !ended(club));
  await registerFor(world, person, running[person.number % running.length], false);
}

async function registerFor(world: World, person: Person, club: Club | undefined, hasEnded: boolean): Promise<void> {
  const form = {
    email: person.email,
    firstName: 'Person',
    lastName: `Number ${inLetters(person.number)}`,
    mobile: '0400000000',
    tenantA: tenantAOf(world, person),
    supportingClubId: club?.id ?? '',
    userId: person.uid,
  };
  const answer = await call(world, person, contract.register, form, { 'idempotency-key': `register-${person.uid}` });
  if (answer?.status === 200) person.stage = 'connect';
  if (answer && (hasEnded ? answer.status === 200 : answer.status === 403)) {
    world.violation(`${person.uid} registered for ${club?.name}: ${answer.status}, its campaign ended: ${hasEnded}`);
  }
  if (answer?.status === 403) world.count('clubs of ended campaigns refused');
  if (answer?.status === 400) world.violation(`${person.uid} may not register: ${JSON.stringify(answer.body)}`);
}

/** Returns a number in letters, as a name may have it: 12 is "bc". */
const inLetters = (number: number): string => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

async function connect(world: World, person: Person): Promise<void> {
  if (await shareAtBank(world, person)) person.stage = 'choose accounts';
}

/** Goes to the bank by the product's link, shares everything, and stands by it on the return; false where that failed. */
export async function shareAtBank(world: World, person: Person): Promise<boolean> {
  const { clock, outside, admin } = world;
  const link = await call(world, person, contract.consent, { cdrid: person.supporterId });
  if (link?.status !== 200) return false;
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
  await world.accountNumbers.learn(person);
  const job = await call(world, person, contract.findJobs, { cdrid: person.supporterId });
  if (job?.status !== 200) return false;
  const state = await call(world, person, contract.checkJob, { jobId: job.body.jobId, cdrid: person.supporterId });
  if (state?.status !== 200) return false;
  return confirmReturn(world, person, { link: link.body.consentLink, jobId: job.body.jobId });
}

/** Opens the link as the browser does, and stands by the return with the nonce that only its opening tells. */
async function confirmReturn(world: World, person: Person, { link, jobId }: { link: string; jobId: string }) {
  const nonce = await openLink(world, link);
  if (!nonce) return false;
  const input = { cdrid: person.supporterId, nonce, jobIds: [jobId] };
  return (await call(world, person, contract.confirmConnection, input))?.status === 200;
}

/** Reads the accounts and what the product holds of them into what the person knows. */
export async function readAccounts(world: World, person: Person): Promise<boolean> {
  const fetched = await call(world, person, contract.retrieveAccounts, { cdrid: person.supporterId });
  if (fetched?.status !== 200) return false;
  const listed = await call(world, person, contract.accounts, { userId: person.supporterId });
  if (listed?.status !== 200) return false;
  person.accounts = new Map();
  for (const each of listed.body.accountsData.documents) {
    const number = await world.accountNumbers.of(person, each.id);
    if (person.accounts.has(number)) world.violation(`${person.uid} is shown one account twice`);
    const { _id: id, id: providerId, canFund, activeDebitEnabled: isFunding } = each;
    person.accounts.set(number, { id, providerId, canFund, isFunding });
  }
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
  const [, account] = able[which % Math.max(1, able.length)] ?? [];
  if (!account) return false;
  person.stoppedAt = undefined; // an answer that is lost may have been a yes
  const answer = await call(world, person, contract.registerFunding, {
    accountId: account.providerId,
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
