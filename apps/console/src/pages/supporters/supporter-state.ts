import type { FoundSupporter, SupporterDetails } from '@sparechange/contract/console';
import { cents, formatCents, isoDate, longDay, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { instantInWords } from '../../words.ts';

/** A word or a sentence about a supporter's state. */
interface SupporterState {
  tone: 'good' | 'bad' | 'plain';
  words: string;
}

export const dayInWords = (day: string): string => longDay(isoDate(day));

const daysUntil = (day: string, today: string): string =>
  counted(Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000), 'day');

const good = (words: string): SupporterState => ({ tone: 'good', words });
const bad = (words: string): SupporterState => ({ tone: 'bad', words });
const plain = (words: string): SupporterState => ({ tone: 'plain', words });

/** Returns a supporter's most serious state for a list, in a word or two. */
export function statusOf({ isClosed, isOnHold, isPaused, onboardedOn }: FoundSupporter): SupporterState {
  if (isClosed) return plain('Closed');
  if (isOnHold) return bad('On hold');
  if (!onboardedOn) return plain('Not set up');
  return isPaused ? plain('Paused') : good('Active');
}

/** Puts a supporter's state into words, the most serious first. */
export function statesOf(supporter: SupporterDetails): SupporterState[] {
  const { closedOn, onboardedOn, record, hold, bounce, isSignInDisabled } = supporter;
  const mails = bounce
    ? [bad(`Mails to their address have come back since ${instantInWords(bounce.at)}: ${bounce.reason}`)]
    : [];
  if (closedOn) return [plain(`The account was closed on ${dayInWords(closedOn)}.`), ...mails];
  const signIn = isSignInDisabled ? [bad('The sign-in is disabled: nobody can sign in.')] : [];
  const held = hold ? [bad(`Debits have been stopped since ${instantInWords(hold.since)}: ${hold.because}`)] : [];
  if (!onboardedOn) return [...signIn, ...held, plain('They have not finished setting up.'), ...mails];
  return [
    ...signIn,
    ...held,
    ...(record.isOnHold && !hold
      ? [bad('A payment of theirs is parked. Nothing is debited until somebody decides what becomes of it.')]
      : []),
    ...consentOf(supporter),
    ...accountsOf(supporter),
    ...mails,
    roundUpsOf(supporter),
  ];
}

function roundUpsOf({ record }: SupporterDetails): SupporterState {
  const { campaignEnded, isUserPausedRoundUp, pausedUntil } = record;
  if (campaignEnded) return plain(`Their campaign ended on ${dayInWords(campaignEnded.on)}.`);
  if (isUserPausedRoundUp)
    return plain(pausedUntil ? `Paused until ${shortDay(isoDate(pausedUntil))}.` : 'Paused until they resume.');
  return good('Round-ups are on.');
}

function consentOf({ record: { consentHealth }, today }: SupporterDetails): SupporterState[] {
  const { state, endsOn, bankEndsOn, dataOn } = consentHealth;
  const on = endsOn ? dayInWords(endsOn) : 'an unknown day';
  switch (state) {
    case 'good':
      return [good(`The consent lasts until ${on}.`)];
    case 'ends soon':
      return [bad(`The consent ends in ${daysUntil(endsOn ?? today, today)}, on ${on}.`)];
    case 'bank ends soon':
      return [bad(`A bank’s own permission ends in ${daysUntil(bankEndsOn ?? today, today)}.`)];
    case 'bank ended':
      return [bad('A bank’s own permission has ended. They have to connect it again.')];
    case 'silent':
      return [bad(`The bank has sent nothing since ${dataOn ? dayInWords(dataOn) : 'the consent was given'}.`)];
    case 'expired':
      return [bad(`The consent ended on ${on} and was not renewed.`)];
    case 'withdrawn':
      return [bad(`The consent was withdrawn on ${on}.`)];
    case 'none':
      return [plain('There is no consent.')];
  }
}

const whyNoAccount = {
  returned: 'The account to debit returned a debit. They have to choose one again.',
  mandate_cancelled: 'The authority to debit was cancelled. They have to choose an account again.',
  account_missing: 'The bank no longer shows the account to debit.',
};

function accountsOf({ record }: SupporterDetails): SupporterState[] {
  const why = record.whyNoAccount ? whyNoAccount[record.whyNoAccount] : undefined;
  const waits = record.waitsForAccountCents;
  return [
    ...(waits !== undefined ? [bad(`${why ?? 'No account is chosen to debit.'} ${money(waits)} waits.`)] : []),
    ...(record.tracksNoAccount ? [plain('No account is chosen whose purchases are rounded up.')] : []),
  ];
}

export const money = (amount: number): string => formatCents(cents(amount));

/** States the next debit's day and what may prevent it. */
export function nextDebitOf({ record: { nextDebit } }: SupporterDetails): string {
  if (!nextDebit) return 'Nothing is debited as things stand.';
  const { date, skips, minimumCents } = nextDebit;
  const when = `so far, on ${shortDay(isoDate(date))}`;
  if (skips) return `${when}; they skip ${shortDay(isoDate(skips))}`;
  return minimumCents ? `${when}; it waits until it is ${money(minimumCents)}` : when;
}
