import * as contract from '@sparechange/contract';
import { monthStart } from '@sparechange/domain';
import { type Club, listClubs } from '@sparechange/server/features/beneficiaries/clubs/club-repository.ts';
import { clubEnd, isOver } from '@sparechange/server/tenants/campaign-end.ts';
import { call, tenantAOf, type World } from '../world.ts';
import { openLink } from './forwarded-link.ts';
import { notePermission, noteTracking, type SupporterActor, yearFrom } from './supporter-actor.ts';

/**
 * Takes somebody as far through onboarding as the product lets them now; what could not be done is done on another
 * day. Somebody whose consent has ended goes through the bank's pages and the accounts again.
 */
export async function goOn(world: World, supporter: SupporterActor): Promise<void> {
  const steps = { register, connect, 'choose accounts': chooseAccounts, fund, finish };
  while (supporter.stage !== 'ready' && supporter.stage !== 'closed') {
    const before = supporter.stage;
    await steps[before](world, supporter);
    if (supporter.stage === before) return;
  }
}

async function register(world: World, supporter: SupporterActor): Promise<void> {
  const clubs = await listClubs(world.admin);
  const { tenants } = world.product().runtime;
  const ended = (club: Club) => isOver(clubEnd(tenants.list(), club), world.clock.day());
  // Some supporters try the club of an ended campaign first, which the product has to refuse.
  if (supporter.number % 4 === 0) await registerFor(world, supporter, clubs.find(ended), true);
  const running = clubs.filter((club) => !ended(club));
  await registerFor(world, supporter, running[supporter.number % running.length], false);
}

async function registerFor(
  world: World,
  supporter: SupporterActor,
  club: Club | undefined,
  hasEnded: boolean,
): Promise<void> {
  const form = {
    email: supporter.email,
    firstName: 'Person',
    lastName: `Number ${spellDigits(supporter.number)}`,
    mobile: '0400000000',
    tenantA: tenantAOf(world, supporter),
    supportingClubId: club?.id ?? '',
    userId: supporter.uid,
  };
  const answer = await call(world, supporter, contract.register, form, {
    'idempotency-key': `register-${supporter.uid}`,
  });
  if (answer?.status === 200) supporter.stage = 'connect';
  if (answer && (hasEnded ? answer.status === 200 : answer.status === 403)) {
    world.violation(`${supporter.uid} registered for ${club?.name}: ${answer.status}, its campaign ended: ${hasEnded}`);
  }
  if (answer?.status === 403) world.count('clubs of ended campaigns refused');
  if (answer?.status === 400) world.violation(`${supporter.uid} may not register: ${JSON.stringify(answer.body)}`);
}

/** Spells a number as a name may have it: 12 is "bc". */
const spellDigits = (number: number): string =>
  [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

async function connect(world: World, supporter: SupporterActor): Promise<void> {
  if (await shareAtBank(world, supporter)) supporter.stage = 'choose accounts';
}

/** Goes to the bank by the product's link, shares everything, and confirms it on the return; false where that failed. */
export async function shareAtBank(world: World, supporter: SupporterActor): Promise<boolean> {
  const { clock, external, everybody } = world;
  const link = await call(world, supporter, contract.consent, { cdrid: supporter.supporterId });
  if (link?.status !== 200) return false;
  const [row] = await everybody<{ customer: string }[]>`
    select bank_customer_id as customer from supporters where supporter_id = ${supporter.supporterId}`;
  supporter.customerId = row?.customer ?? '';
  const { crn, institution } = supporter;
  const connection = { userId: supporter.customerId, crn, institution };
  supporter.withdrawnAt = undefined;
  await external.control('POST', '/connections', connection);
  if (!supporter.hasConsent) supporter.consentUntil = yearFrom(clock.peek());
  notePermission(supporter, clock.peek());
  supporter.hasConsent = true;
  clock.moveTo(new Date(clock.peek().getTime() + 5_000));
  await external.catchUp();
  await world.accountNumbers.learn(supporter);
  const job = await call(world, supporter, contract.findJobs, { cdrid: supporter.supporterId });
  if (job?.status !== 200) return false;
  const state = await call(world, supporter, contract.checkJob, {
    jobId: job.body.jobId,
    cdrid: supporter.supporterId,
  });
  if (state?.status !== 200) return false;
  return confirmReturn(world, supporter, { link: link.body.consentLink, jobId: job.body.jobId });
}

/** Opens the link as the browser does, and confirms the return with the nonce that only its opening shows. */
async function confirmReturn(
  world: World,
  supporter: SupporterActor,
  { link, jobId }: { link: string; jobId: string },
) {
  const nonce = await openLink(world, link);
  if (!nonce) return false;
  const input = { cdrid: supporter.supporterId, nonce, jobIds: [jobId] };
  return (await call(world, supporter, contract.confirmConnection, input))?.status === 200;
}

/** Reads the accounts and what the product holds of them into what the supporter knows. */
export async function readAccounts(world: World, supporter: SupporterActor): Promise<boolean> {
  const fetched = await call(world, supporter, contract.retrieveAccounts, { cdrid: supporter.supporterId });
  if (fetched?.status !== 200) return false;
  const listed = await call(world, supporter, contract.accounts, { userId: supporter.supporterId });
  if (listed?.status !== 200) return false;
  supporter.accounts = new Map();
  for (const each of listed.body.accountsData.documents) {
    const number = await world.accountNumbers.of(supporter, each.id);
    if (supporter.accounts.has(number)) world.violation(`${supporter.uid} is shown one account twice`);
    const { _id: id, id: providerId, canFund, activeDebitEnabled: isFunding } = each;
    supporter.accounts.set(number, { id, providerId, canFund, isFunding });
  }
  return true;
}

/** Chooses which accounts are tracked; `isOn` says so of each by its place. */
export async function trackAccounts(
  world: World,
  supporter: SupporterActor,
  isOn: (place: number) => boolean,
): Promise<boolean> {
  const chosen = [...supporter.accounts].map(([account, { id }], place) => ({ account, id, isOn: isOn(place) }));
  if (chosen.length === 0) return false;
  const roundUpAccounts = chosen.map(({ id, isOn }) => ({ accountId: id, activeRoundUpsEnabled: isOn }));
  const answer = await call(world, supporter, contract.updateRoundUpAccounts, { roundUpAccounts });
  if (answer?.status !== 200) return false;
  const at = world.clock.now();
  const [row] = await world.everybody<{ isOnboarded: boolean }[]>`
    select onboarded_on is not null as "isOnboarded" from supporters where supporter_id = ${supporter.supporterId}`;
  const from = row?.isOnboarded ? world.clock.day() : undefined;
  for (const { account, isOn } of chosen) noteTracking(supporter, account, at, isOn, from);
  return true;
}

async function chooseAccounts(world: World, supporter: SupporterActor): Promise<void> {
  if (!(await readAccounts(world, supporter))) return;
  const second = supporter.number % 3 === 0;
  if (await trackAccounts(world, supporter, (place) => place === 0 || second)) supporter.stage = 'fund';
}

/** Agrees to debits of an account that allows them. */
export async function fundFrom(world: World, supporter: SupporterActor, which: number): Promise<boolean> {
  const able = [...supporter.accounts].filter(([, { canFund }]) => canFund);
  const [, account] = able[which % Math.max(1, able.length)] ?? [];
  if (!account) return false;
  supporter.stoppedAt = undefined; // an answer that is lost may have been a yes
  const answer = await call(world, supporter, contract.registerFunding, {
    accountId: account.providerId,
    account_id: account.id,
    tenantA: tenantAOf(world, supporter),
    activeDebitEnabled: true,
    cdrid: supporter.supporterId,
  });
  if (answer?.status !== 200) return false;
  for (const each of supporter.accounts.values()) each.isFunding = each === account;
  return true;
}

async function fund(world: World, supporter: SupporterActor): Promise<void> {
  if (await fundFrom(world, supporter, 0)) supporter.stage = 'finish';
}

async function finish(world: World, supporter: SupporterActor): Promise<void> {
  const syncBeginningOfMonth = supporter.number % 2 === 0;
  const input = { cdrid: supporter.supporterId, syncBeginningOfMonth };
  const answer = await call(world, supporter, contract.onboardingComplete, input);
  if (answer?.status === 409) supporter.stage = 'connect'; // the consent or the account is gone again
  if (answer?.status !== 200) return;
  supporter.stage = 'ready';
  const day = world.clock.day();
  supporter.firstDay ??= syncBeginningOfMonth ? monthStart(day) : day;
}
