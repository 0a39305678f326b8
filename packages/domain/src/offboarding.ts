import { type Cents, formatCents, noCents } from './money.ts';

/** The steps of leaving, from the mildest to the last. */
export const offboardingSteps = ['pause', 'stop', 'withdraw', 'delete', 'download', 'close'] as const;
export type OffboardingStep = (typeof offboardingSteps)[number];

interface Sum {
  count: number;
  cents: Cents;
}

/** Everything of a supporter that leaving touches. */
export interface OffboardingStatus {
  isPaused: boolean;
  /** A mandate is in effect. */
  hasMandate: boolean;
  hasConsent: boolean;
  /** Accounts or purchases from the bank are kept. */
  hasBankData: boolean;
  /** At the payment provider: supporters can no longer stop them. */
  debits: Sum;
  donations: Sum;
  /** Donations not yet submitted, which can still be called off. */
  donationsToCome: Sum;
  /** On their way into the savings account. */
  deposits: Sum;
  /** On their way back to the account that was debited. */
  refunds: Sum;
  /** Counted and not debited. */
  waitingCents: Cents;
  /** Debited, and still to be deposited into the savings account. */
  setAsideCents: Cents;
}

/** Payments that the supporter can no longer stop. */
export type UnderWay = Pick<OffboardingStatus, 'debits' | 'donations' | 'deposits' | 'refunds' | 'setAsideCents'>;

/** Returns whether a step has an effect; downloads always do. */
export function canTake(step: OffboardingStep, status: OffboardingStatus): boolean {
  if (step === 'pause') return !status.isPaused;
  if (step === 'stop') return status.hasMandate || status.donationsToCome.count > 0;
  if (step === 'withdraw') return status.hasConsent;
  if (step === 'delete') return status.hasBankData;
  return true;
}

const several = (amount: number, one: string, more: string): string => (amount === 1 ? one : `${amount} ${more}`);
const inAll = ({ count, cents }: Sum): string =>
  count === 1 ? `of ${formatCents(cents)}` : `of ${formatCents(cents)} in all`;

/** Returns a sentence for each payment that cannot be stopped. */
export function underWay({ debits, donations, deposits, refunds, setAsideCents }: UnderWay): string[] {
  const atBank = ({ count }: Sum) =>
    count === 1
      ? 'is already with your bank and will still be taken'
      : 'are already with your bank and will still be taken';
  return [
    ...(debits.count > 0 ? [`${several(debits.count, 'A debit', 'debits')} ${inAll(debits)} ${atBank(debits)}.`] : []),
    ...(donations.count > 0
      ? [
          `${several(donations.count, 'A one-off donation', 'one-off donations')} ${inAll(donations)} ${atBank(donations)}.`,
        ]
      : []),
    ...(deposits.count > 0 ? [`${formatCents(deposits.cents)} is on its way to your savings account.`] : []),
    ...(refunds.count > 0
      ? [
          `${several(refunds.count, 'A refund', 'refunds')} ${inAll(refunds)} ${refunds.count === 1 ? 'is on its way' : 'are on their way'} to your bank account.`,
        ]
      : []),
    ...(setAsideCents > 0
      ? [`${formatCents(setAsideCents)} is set aside for you and goes to your savings account with the next deposits.`]
      : []),
  ];
}

/** Sentence on the records that stay: debits are claimable for 7 years (docs/decisions/leaving.md#six-steps). */
export const whatStays =
  'We keep the record of your debits and donations for 7 years: days, amounts, your club, and the last four digits of the account. Banks and auditors may ask for it. It holds none of your purchases.';

function waits({ waitingCents }: OffboardingStatus, until: string): string[] {
  return waitingCents > 0
    ? [`${formatCents(waitingCents)} of spare change is waiting. It is taken only if you ${until}.`]
    : [];
}

function dropped({ waitingCents }: OffboardingStatus): string[] {
  return waitingCents > 0 ? [`${formatCents(waitingCents)} of spare change is dropped. You do not owe it.`] : [];
}

function calledOff({ donationsToCome }: OffboardingStatus): string[] {
  if (donationsToCome.count === 0) return [];
  const which = several(donationsToCome.count, 'A one-off donation', 'one-off donations');
  return [
    `${which} ${inAll(donationsToCome)} ${donationsToCome.count === 1 ? 'has' : 'have'} not gone to your bank yet, and will not be taken.`,
  ];
}

/** Returns whether payments keep bank data from being deleted: a refund needs the account it goes to until it has arrived. */
export const needsBankData = ({ debits, donations, refunds }: UnderWay): boolean =>
  debits.count + donations.count + refunds.count > 0;

/** Returns a step's effects that apply, the most wanted first. */
export function whatStepDoes(step: OffboardingStep, status: OffboardingStatus): string[] {
  switch (step) {
    case 'pause':
      return [
        'We stop counting your purchases right away. Switch round-ups on again whenever you like.',
        ...waits(status, 'switch them on again'),
        ...underWay(status),
      ];
    case 'stop':
      return [
        'Your authority to debit is cancelled right away, and your round-ups are paused. No new debit is taken.',
        'A pause is undone with a switch. This is not: to give again, you choose an account and agree to debits again.',
        ...calledOff(status),
        ...waits(status, 'do that'),
        ...underWay(status),
      ];
    case 'withdraw':
      return [
        'We stop looking at your accounts right away, and no new debit is taken.',
        needsBankData(status)
          ? 'What we have from your bank is deleted as soon as the payments below are done.'
          : 'What we have from your bank is deleted by tomorrow morning.',
        ...dropped(status),
        ...calledOff(status),
        ...underWay(status),
        whatStays,
      ];
    case 'delete':
      return [
        needsBankData(status)
          ? 'Your accounts, purchases and the spare change of each are deleted as soon as the payments below are done.'
          : 'Your accounts, purchases and the spare change of each are deleted right away. This cannot be undone.',
        ...(status.hasConsent ? ['Your bank connection ends too, and no new debit is taken.'] : []),
        ...dropped(status),
        ...calledOff(status),
        ...underWay(status),
        whatStays,
      ];
    case 'download':
      return [
        'You get one ZIP file with everything we hold about you, as JSON and as tables (CSV) for a spreadsheet.',
        'Your BSB and account numbers are in it only by their last four digits. Keep the file somewhere safe: it shows your purchases.',
      ];
    case 'close':
      return [
        'Your account is closed right away, for good. Your authority to debit, your bank connection and your sign-in end.',
        needsBankData(status)
          ? 'What we have from your bank is deleted as soon as the payments below are done.'
          : 'What we have from your bank is deleted.',
        ...dropped(status),
        ...calledOff(status),
        ...underWay(status),
        whatStays,
        'You can join again later with the same address, as a new supporter.',
      ];
  }
}

/** A status with nothing that leaving would touch. */
export const nothingHeld: OffboardingStatus = {
  isPaused: false,
  hasMandate: false,
  hasConsent: false,
  hasBankData: false,
  debits: { count: 0, cents: noCents },
  donations: { count: 0, cents: noCents },
  donationsToCome: { count: 0, cents: noCents },
  deposits: { count: 0, cents: noCents },
  refunds: { count: 0, cents: noCents },
  waitingCents: noCents,
  setAsideCents: noCents,
};
