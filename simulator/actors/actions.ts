import * as contract from '@sparechange/contract';
import { addDays, roundUpSteps, weeklyLimits } from '@sparechange/domain';
import { endOverdueConsents } from '../invariants/round-up-oracle.ts';
import { pickWeighted } from '../scheduler/chance.ts';
import { call, type World } from '../world.ts';
import { triggerBankEvent } from './bank-events.ts';
import { endSoon, isToRenew, renew } from './consent-renewal.ts';
import { changeBalance, changeFloor, isJustMailed, skipByLink, skipOrNot, switchDebitNotices } from './next-debits.ts';
import { close, deleteBankData, download, stopDebits, withdraw } from './offboarding.ts';
import { fundFrom, goOn, readAccounts, trackAccounts } from './onboarding.ts';
import { refundPurchase, shop } from './shopping.ts';
import { noteConsentEnd, notePause, noteResume, openPause, type SupporterActor } from './supporter-actor.ts';

type Action = (world: World, supporter: SupporterActor) => Promise<void>;

/** Actions of a supporter's day, and their frequency in ten thousand days. */
const actions: readonly [perTenThousand: number, action: Action][] = [
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
  [60, switchDebitNotices],
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
  [300, refundPurchase],
  [500, triggerBankEvent],
];

/** Plays one visit: a random action, or the repair of a state in which the product does not work. */
export async function act(world: World, supporter: SupporterActor): Promise<void> {
  const { choices } = supporter;
  const wants = choices.whole(0, 9_999);
  const action = pickWeighted(choices, actions);
  const patience = choices.next();
  if (supporter.stage === 'closed' || world.clock.day() < supporter.joinsOn) return;
  endOverdueConsents([supporter], world.clock.peek());
  if (isInLastMinute(supporter, world.clock.peek())) return;
  if (supporter.stage !== 'ready') {
    if (patience < 0.7) await goOn(world, supporter);
    return;
  }
  if (!supporter.hasConsent) {
    if (patience < 0.25) {
      supporter.stage = 'connect';
      await goOn(world, supporter);
    }
    return;
  }
  if (patience > 0.55 && patience < 0.63 && isToRenew(supporter, world.clock.peek())) return renew(world, supporter);
  if (openPause(supporter) && patience < 0.08) return pauseOrResume(world, supporter);
  if (patience > 0.9 && (await isFundingUnusable(world, supporter))) return changeFunding(world, supporter);
  if (patience > 0.4 && patience < 0.55 && isJustMailed(world, supporter)) return skipByLink(world, supporter);
  if (wants < 6_500) await action?.(world, supporter);
}

/** Returns whether the consent may end while they act, so that nobody could say which came first. */
const isInLastMinute = ({ hasConsent, consentUntil }: SupporterActor, now: Date): boolean =>
  hasConsent && consentUntil !== undefined && consentUntil.getTime() - now.getTime() <= 60_000;

async function isFundingUnusable({ everybody }: World, { supporterId }: SupporterActor): Promise<boolean> {
  const [row] = await everybody`
    select 1 from accounts where supporter_id = ${supporterId} and is_funding and unusable_since is null`;
  return row === undefined;
}

async function pauseOrResume(world: World, supporter: SupporterActor): Promise<void> {
  const isPaused = openPause(supporter) === undefined;
  const input = { cdrid: supporter.supporterId, isUserPausedRoundUp: isPaused };
  const answer = await call(world, supporter, contract.setPaused, input);
  if (answer?.status !== 200) return;
  if (isPaused) notePause(supporter, world.clock.now(), world.clock.day());
  else noteResume(supporter, world.clock.now(), world.clock.day());
  world.count(isPaused ? 'pauses' : 'resumes');
}

/** Pauses until a day of the next two weeks, or gives a pause such a day. */
async function pauseUntil(world: World, supporter: SupporterActor): Promise<void> {
  const until = addDays(world.clock.day(), supporter.choices.whole(1, 14));
  const input = { cdrid: supporter.supporterId, isUserPausedRoundUp: true, until };
  const answer = await call(world, supporter, contract.setPaused, input);
  if (answer?.status !== 200) return;
  notePause(supporter, world.clock.now(), world.clock.day(), until);
  world.count('pauses until a day');
}

async function changeStep(world: World, supporter: SupporterActor): Promise<void> {
  const value = supporter.choices.pick([...roundUpSteps]);
  const input = { cdrid: supporter.supporterId, roundupAmountCents: value };
  const answer = await call(world, supporter, contract.setRoundUpAmount, input);
  if (answer?.status === 200) supporter.steps.push({ at: world.clock.now(), value });
}

async function changeLimit(world: World, supporter: SupporterActor): Promise<void> {
  const value = supporter.choices.pick([...weeklyLimits]);
  const input = { cdrid: supporter.supporterId, weeklyMaximumLimit: value };
  const answer = await call(world, supporter, contract.setWeeklyLimit, input);
  if (answer?.status === 200) supporter.limits.push({ at: world.clock.now(), value });
}

async function changeTracking(world: World, supporter: SupporterActor): Promise<void> {
  const mask = supporter.choices.whole(0, 7);
  if (await trackAccounts(world, supporter, (place) => ((mask >> place) & 1) === 1)) world.count('changes of accounts');
}

async function changeFunding(world: World, supporter: SupporterActor): Promise<void> {
  const which = supporter.choices.whole(0, 1);
  if (!(await readAccounts(world, supporter))) return;
  if (await fundFrom(world, supporter, which)) world.count('changes of funding account');
}

async function switchSavings(world: World, supporter: SupporterActor): Promise<void> {
  const isOn = !supporter.savings.isOn;
  const input = { cdrid: supporter.supporterId, savingsAccountEnabled: isOn };
  const answer = await call(world, supporter, contract.setSavingsAccount, input);
  if (answer?.status !== 200) return;
  supporter.savings.isOn = isOn;
  if (isOn && (!supporter.savings.isLinked || supporter.choices.chance(0.4))) await linkSavings(world, supporter);
}

async function linkSavings(world: World, supporter: SupporterActor): Promise<void> {
  // One in ten is too long for a bank file; the payment provider of the simulation takes it all the same.
  const digits = supporter.choices.chance(0.1) ? supporter.choices.whole(10, 12) : supporter.choices.whole(8, 9);
  const accountNumber = Array.from({ length: digits }, () => supporter.choices.whole(1, 9)).join('');
  const values = { accountName: `Savings of ${supporter.uid}`, bsb: '062000', accountNumber };
  const input = { cdrid: supporter.supporterId, values };
  const answer = await call(world, supporter, contract.submitSavingsAccount, input);
  if (answer?.status === 200) supporter.savings.isLinked = true;
}

async function donate(world: World, supporter: SupporterActor): Promise<void> {
  const amount = supporter.choices.whole(1, 25_000) / 100;
  const key = `gift-${supporter.number}-${world.clock.peek().getTime()}`;
  const input = { values: { amount, cdrid: supporter.supporterId } };
  const answer = await call(world, supporter, contract.donateNow, input, { 'idempotency-key': key });
  if (answer?.status === 200) world.count('donations');
}

/** Downloads a receipt; one downloaded before has to be the same bytes. */
async function fetchReceipt(world: World, supporter: SupporterActor): Promise<void> {
  const listed = await call(world, supporter, contract.listReceipts, { cdrid: supporter.supporterId });
  const receipts = listed?.status === 200 ? listed.body.receipts : [];
  const wanted = receipts[supporter.choices.whole(0, Math.max(0, receipts.length - 1))];
  if (!wanted) return;
  const { kind, firstDay } = wanted;
  const answer = await call(world, supporter, contract.downloadReceipt, {
    cdrid: supporter.supporterId,
    kind,
    firstDay,
  });
  if (answer?.status !== 200) return;
  const { number, sha256 } = answer.body;
  const known = supporter.receipts.get(`${kind} ${firstDay}`);
  if (known && known !== sha256) world.violation(`receipt ${number} of ${supporter.email} is not what it was`);
  supporter.receipts.set(`${kind} ${firstDay}`, sha256);
  world.count('receipts downloaded');
}

async function revokeConsent(world: World, supporter: SupporterActor): Promise<void> {
  await world.external.control('POST', '/consents', { userId: supporter.customerId, action: 'revoke' });
  noteConsentEnd(supporter, world.clock.now(), 'withdrawn');
  world.count('consents revoked');
}

async function expireConsent(world: World, supporter: SupporterActor): Promise<void> {
  await world.external.control('POST', '/consents', { userId: supporter.customerId, action: 'expire' });
  noteConsentEnd(supporter, world.clock.now(), 'expired');
  world.count('consents expired');
}
