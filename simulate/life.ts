import * as contract from '@sparechange/contract';
import { addDays, roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { meddle } from './banks-doings.ts';
import { pickWeighted } from './chance.ts';
import { close, deleteBankData, download, stopDebits, withdraw } from './leaving.ts';
import { changeBalance, changeFloor, isJustMailed, skipByLink, skipOrNot, switchDebitMails } from './next-debits.ts';
import { fundFrom, goOn, readAccounts, trackAccounts } from './onboarding.ts';
import { noteConsentEnd, notePause, noteResume, openPause, type Person } from './person.ts';
import { endSoon, isToRenew, renew } from './renewing.ts';
import { endConsentsOverdue } from './round-up-oracle.ts';
import { shop, takeBack } from './shopping.ts';
import { call, type World } from './world.ts';

type Doing = (world: World, person: Person) => Promise<void>;

/** Actions of a supporter's day, and their frequency in ten thousand days. */
const doings: readonly [perTenThousand: number, doing: Doing][] = [
  [120, pauseOrResume],
  [220, pauseUntil],
  [150, changeStep],
  [200, changeLimit],
  [60, changeTracking],
  [80, changeFunding],
  [100, switchSavings],
  [50, linkSavings],
  [180, donate],
  [500, fetchReceipt],
  [200, skipOrNot],
  [60, skipByLink],
  [60, switchDebitMails],
  [120, changeFloor],
  [300, changeBalance],
  [80, revokeConsent],
  [120, expireConsent],
  [200, endSoon],
  [50, close],
  [90, stopDebits],
  [80, withdraw],
  [90, deleteBankData],
  [30, download],
  [5_000, shop],
  [300, takeBack],
  [500, meddle],
];

/** One visit of somebody: perhaps they do something, perhaps they put right what keeps the product from working. */
export async function live(world: World, person: Person): Promise<void> {
  const { lives } = world;
  const wants = lives.whole(0, 9_999);
  const doing = pickWeighted(lives, doings);
  const patience = lives.next();
  if (person.stage === 'closed' || world.clock.day() < person.joinsOn) return;
  endConsentsOverdue([person], new Date(world.clock.peek().getTime() + 60_000)); // they do not shop in its last minute
  if (person.stage !== 'ready') {
    if (patience < 0.7) await goOn(world, person);
    return;
  }
  if (!person.hasConsent) {
    if (patience < 0.25) {
      person.stage = 'connect';
      await goOn(world, person);
    }
    return;
  }
  if (patience > 0.55 && patience < 0.63 && isToRenew(person, world.clock.peek())) return renew(world, person);
  if (openPause(person) && patience < 0.08) return pauseOrResume(world, person);
  if (patience > 0.9 && (await isFundingUnusable(world, person))) return changeFunding(world, person);
  if (patience > 0.4 && patience < 0.55 && isJustMailed(world, person)) return skipByLink(world, person);
  if (wants < 6_500) await doing?.(world, person);
}

async function isFundingUnusable({ admin }: World, { supporterId }: Person): Promise<boolean> {
  const [row] = await admin`
    select 1 from accounts where supporter_id = ${supporterId} and is_funding and unusable_since is null`;
  return row === undefined;
}

async function pauseOrResume(world: World, person: Person): Promise<void> {
  const isPaused = openPause(person) === undefined;
  const input = { cdrid: person.supporterId, isUserPausedRoundUp: isPaused };
  const answer = await call(world, person, contract.setPaused, input);
  if (answer?.status !== 200) return;
  if (isPaused) notePause(person, world.clock.now(), world.clock.day());
  else noteResume(person, world.clock.now(), world.clock.day());
  world.count(isPaused ? 'pauses' : 'resumes');
}

/** Pauses until a day of the next two weeks, or gives a pause such a day. */
async function pauseUntil(world: World, person: Person): Promise<void> {
  const until = addDays(world.clock.day(), world.lives.whole(1, 14));
  const input = { cdrid: person.supporterId, isUserPausedRoundUp: true, until };
  const answer = await call(world, person, contract.setPaused, input);
  if (answer?.status !== 200) return;
  notePause(person, world.clock.now(), world.clock.day(), until);
  world.count('pauses until a day');
}

async function changeStep(world: World, person: Person): Promise<void> {
  const value = world.lives.pick([...roundUpSteps]);
  const input = { cdrid: person.supporterId, roundupAmountCents: value };
  const answer = await call(world, person, contract.setRoundUpAmount, input);
  if (answer?.status === 200) person.steps.push({ at: world.clock.now(), value });
}

async function changeLimit(world: World, person: Person): Promise<void> {
  const value = world.lives.pick([...weeklyLimits]);
  const input = { cdrid: person.supporterId, weeklyMaximumLimit: value };
  const answer = await call(world, person, contract.setWeeklyLimit, input);
  if (answer?.status === 200) person.limits.push({ at: world.clock.now(), value });
}

async function changeTracking(world: World, person: Person): Promise<void> {
  const mask = world.lives.whole(0, 7);
  if (await trackAccounts(world, person, (place) => ((mask >> place) & 1) === 1)) world.count('changes of accounts');
}

async function changeFunding(world: World, person: Person): Promise<void> {
  const which = world.lives.whole(0, 1);
  if (!(await readAccounts(world, person))) return;
  if (await fundFrom(world, person, which)) world.count('changes of funding account');
}

async function switchSavings(world: World, person: Person): Promise<void> {
  const isOn = !person.savings.isOn;
  const input = { cdrid: person.supporterId, savingsAccountEnabled: isOn };
  const answer = await call(world, person, contract.setSavingsAccount, input);
  if (answer?.status !== 200) return;
  person.savings.isOn = isOn;
  if (isOn && (!person.savings.isLinked || world.lives.chance(0.4))) await linkSavings(world, person);
}

async function linkSavings(world: World, person: Person): Promise<void> {
  // One in ten is too long for a bank file; the payment provider of the simulation takes it all the same.
  const digits = world.lives.chance(0.1) ? world.lives.whole(10, 12) : world.lives.whole(8, 9);
  const accountNumber = Array.from({ length: digits }, () => world.lives.whole(1, 9)).join('');
  const values = { accountName: `Savings of ${person.uid}`, bsb: '062000', accountNumber };
  const input = { cdrid: person.supporterId, values };
  const answer = await call(world, person, contract.submitSavingsAccount, input);
  if (answer?.status === 200) person.savings.isLinked = true;
}

async function donate(world: World, person: Person): Promise<void> {
  const amount = world.lives.whole(1, 25_000) / 100;
  const key = `gift-${person.number}-${world.clock.peek().getTime()}`;
  const input = { values: { amount, cdrid: person.supporterId } };
  const answer = await call(world, person, contract.donateNow, input, { 'idempotency-key': key });
  if (answer?.status === 200) world.count('donations');
}

/** Downloads one of their papers; one they have already has to be the same bytes. */
async function fetchReceipt(world: World, person: Person): Promise<void> {
  const listed = await call(world, person, contract.listReceipts, { cdrid: person.supporterId });
  const receipts = listed?.status === 200 ? listed.body.receipts : [];
  const wanted = receipts[world.lives.whole(0, Math.max(0, receipts.length - 1))];
  if (!wanted) return;
  const { kind, firstDay } = wanted;
  const answer = await call(world, person, contract.downloadReceipt, { cdrid: person.supporterId, kind, firstDay });
  if (answer?.status !== 200) return;
  const { number, sha256 } = answer.body;
  const known = person.receipts.get(`${kind} ${firstDay}`);
  if (known && known !== sha256) world.violation(`receipt ${number} of ${person.email} is not what it was`);
  person.receipts.set(`${kind} ${firstDay}`, sha256);
  world.count('receipts downloaded');
}

async function revokeConsent(world: World, person: Person): Promise<void> {
  await world.outside.control('POST', '/consents', { userId: person.customerId, action: 'revoke' });
  noteConsentEnd(person, world.clock.now(), 'withdrawn');
  world.count('consents revoked');
}

async function expireConsent(world: World, person: Person): Promise<void> {
  await world.outside.control('POST', '/consents', { userId: person.customerId, action: 'expire' });
  noteConsentEnd(person, world.clock.now(), 'expired');
  world.count('consents expired');
}
