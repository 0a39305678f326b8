import * as contract from '@sparechange/contract';
import { balanceFloors, isoDate } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { call, type World } from '../world.ts';
import type { SupporterActor } from './supporter-actor.ts';

/** Skips the next debit day, or takes that back; it may be too late by a moment. */
export async function skipOrNot(world: World, supporter: SupporterActor): Promise<void> {
  const isSkipped = supporter.choices.chance(0.8);
  const date = upcomingDebitDay(world.clock.peek());
  if (!isSkipped) supporter.skips.delete(date); // an answer that is lost may have been a yes
  const answer = await call(world, supporter, contract.setDebitSkipped, {
    cdrid: supporter.supporterId,
    date,
    isSkipped,
  });
  if (answer?.status !== 200) return;
  if (isSkipped) supporter.skips.add(date);
  world.count('skips');
}

const tokenOf = (text: string, page: 'skip-debit' | 'debit-mails'): string | undefined =>
  new RegExp(`/${page}/([\\w.-]+)`).exec(text)?.[1];

/** Returns whether the notice before a debit has come within the last hours. */
export function isJustMailed(world: World, { email }: SupporterActor): boolean {
  const last = world.mailsTo(email).findLast(({ text }) => tokenOf(text, 'skip-debit'));
  return last !== undefined && world.clock.peek().getTime() - last.at.getTime() < 10 * 3_600_000;
}

/** Presses the button of the newest email before a debit, or takes that back; the email may be old. */
export async function skipByLink(world: World, supporter: SupporterActor): Promise<void> {
  const isSkipped = supporter.choices.chance(0.8);
  const token = world
    .mailsTo(supporter.email)
    .flatMap(({ text }) => tokenOf(text, 'skip-debit') ?? [])
    .at(-1);
  if (!token) return;
  const answer = await call(world, supporter, contract.skipDebitByLink, { token, isSkipped });
  if (answer?.status !== 200) {
    world.count('mailed links that came too late');
    return;
  }
  const run = isoDate(answer.body.run);
  if (isSkipped) supporter.skips.add(run);
  else supporter.skips.delete(run);
  world.count('skips by mailed link');
}

/** Opts out of emails before debits, by an emailed link or on the screen, or in again. */
export async function switchDebitNotices(world: World, supporter: SupporterActor): Promise<void> {
  const byLink = supporter.choices.chance(0.5);
  const token = world
    .mailsTo(supporter.email)
    .flatMap(({ text }) => tokenOf(text, 'debit-mails') ?? [])
    .at(-1);
  const isOn = supporter.noDebitNoticeSince !== undefined;
  supporter.noDebitNoticeSince = undefined;
  const { supporterId: cdrid } = supporter;
  const debitNotices = isOn ? 'each_debit' : 'never';
  const answer =
    byLink && token && !isOn
      ? await call(world, supporter, contract.setDebitNoticesByLink, { token, debitNotices })
      : await call(world, supporter, contract.setDebitNotices, { cdrid, debitNotices });
  if (answer?.status !== 200) return;
  if (!isOn) supporter.noDebitNoticeSince = world.clock.now();
  world.count(isOn ? 'debit mails on again' : 'debit mails stopped');
}

export async function changeFloor(world: World, supporter: SupporterActor): Promise<void> {
  const balanceFloorCents = supporter.choices.pick([...balanceFloors]);
  supporter.floors.add(balanceFloorCents); // an answer that is lost may have been a yes
  const input = { cdrid: supporter.supporterId, balanceFloorCents };
  const answer = await call(world, supporter, contract.setBalanceFloor, input);
  if (answer?.status === 200) supporter.floors = new Set([balanceFloorCents]);
}

/** Their bank says that there is little in the account, nothing at all, or what there really is. */
export async function changeBalance(world: World, supporter: SupporterActor): Promise<void> {
  const balance = supporter.choices.pick(['0.40', '49.99', '-12.00', '120.00', undefined]);
  await world.external.control('POST', '/balances', {
    userId: supporter.customerId,
    ...(balance ? { balance } : {}),
  });
  world.count('changes of balance');
}
