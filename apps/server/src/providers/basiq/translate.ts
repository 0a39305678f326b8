import { type Cents, type ConnectionTerm, cents, magnitude, parseDollars, sydneyDay } from '@sparechange/domain';
import type { BankAccountDetails, BankTransaction, Consent, ConsentPurpose, JobState } from '#ports/bank-link.ts';
import type { AccountAnswer, ConnectionAnswer, ConsentAnswer, JobAnswer, TransactionAnswer } from './answers.ts';

/** Basiq's pages for each purpose; the first consent, and a new one after the end of the last, has no action. */
export const actionOf: Record<ConsentPurpose, string | undefined> = {
  'first consent': undefined,
  connect: 'connect',
  manage: 'manage',
  extend: 'extend',
  reauthorise: 'reauthorise',
};

/** Returns "0412345678" as "+61412345678"; undefined unless Australian with ten digits. */
export function internationalMobile(mobile: string): string | undefined {
  const digits = mobile.replace(/[\s-]/g, '');
  if (/^\+61\d{9}$/.test(digits)) return digits;
  return /^0\d{9}$/.test(digits) ? `+61${digits.slice(1)}` : undefined;
}

/**
 * Returns a consent; undefined where its state or the end of an active one cannot be read (docs/decisions/payments.md#unreadable-rows). A state
 * we do not know is not a consent to rely on, and one without a time was given before any withdrawal.
 */
export function toConsent({ id, status, created, expiryDate }: ConsentAnswer): Consent | undefined {
  const state = status === 'active' || status === 'expired' ? status : 'revoked';
  const givenAt = instantOf(created) ?? new Date(0);
  const expiresAt = instantOf(expiryDate) ?? (state === 'active' ? undefined : givenAt);
  return id && status && expiresAt ? { id, state, givenAt, expiresAt } : undefined;
}

/** Translates a connection. It has ended once its status is `invalid`; one of Basiq's examples says `invalid-connection`. */
export const toConnection = ({
  id,
  status,
  lastUsed,
  expiryDate,
}: ConnectionAnswer): ConnectionTerm & { id: string } => ({
  id,
  hasEnded: status?.startsWith('invalid') === true,
  endsAt: instantOf(expiryDate),
  dataAt: instantOf(lastUsed),
});

/**
 * Returns the state of a job from its steps: connection jobs have no documented status. Transactions may still come, or
 * fail to, when the accounts are there.
 */
export function toJobState({ steps }: JobAnswer): JobState {
  const stateOf = (title: string) => steps?.find((step) => step.title === title)?.status;
  if (stateOf('verify-credentials') === 'success' && stateOf('retrieve-accounts') === 'success') return 'done';
  const failed = steps?.filter(({ status }) => status === 'failed') ?? [];
  if (failed.some(({ result }) => result?.detail === 'access_denied')) return 'declined';
  return failed.length > 0 ? 'failed' : 'pending';
}

/** Returns whether a job names this user yet. */
export function isJobOf({ links, steps }: JobAnswer, userId: string): boolean {
  const addresses = [links?.source, ...(steps ?? []).map(({ result }) => result?.url)];
  return addresses.some((address) => address?.includes(`/users/${userId}/`));
}

/** Returns the connection of a user's job, once named. */
export function connectionOf({ links }: JobAnswer, userId: string): string | undefined {
  const named = links?.source?.split(`/users/${userId}/connections/`)[1];
  return named && /^[\w-]{1,64}$/.test(named) ? named : undefined;
}

/** Returns the latest-created connection job: the list's order is undocumented. */
export function newestJob(jobs: JobAnswer[]): JobAnswer | undefined {
  const createdAt = ({ created }: JobAnswer): number => Date.parse(created ?? '') || 0;
  return jobs
    .filter(({ jobType }) => !jobType || jobType === 'connection')
    .reduce<JobAnswer | undefined>((best, job) => (best && createdAt(best) >= createdAt(job) ? best : job), undefined);
}

const digitsOf = (text: string | null | undefined): string | undefined => {
  const digits = (text ?? '').replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) ? digits : undefined;
};

/** The number without its BSB. Never of an account without one: that would be the number of a card. */
function accountNumberOf({ unmaskedAccNum, accountNo }: AccountAnswer, bsb: string | undefined): string | undefined {
  if (bsb === undefined) return undefined;
  const own = digitsOf(unmaskedAccNum);
  if (own !== undefined) return own.length > 9 && own.startsWith(bsb) ? own.slice(6) : own;
  const whole = digitsOf(accountNo);
  return whole !== undefined && whole.length > 6 && whole.startsWith(bsb) ? whole.slice(6) : undefined;
}

export function toAccount(answer: AccountAnswer): BankAccountDetails {
  const sixDigits = digitsOf(answer.bsb);
  const bsb = sixDigits?.length === 6 ? sixDigits : undefined;
  const accountNumber = accountNumberOf(answer, bsb);
  return {
    id: answer.id,
    name: answer.name || answer.class?.product || 'Account',
    kind: answer.class?.type ?? 'unknown',
    bsb,
    accountNumber,
    displayNumber: answer.maskedNumber || accountNumber || (answer.accountNo ?? ''),
    currency: answer.currency ?? '',
    isAvailable: answer.status === 'available',
    institution: answer.institution || undefined,
    connectionId: answer.connection || undefined,
    holder: answer.accountHolder?.trim() || undefined,
  };
}

/** Reads amounts exactly: decimals beyond two must be zeros. */
function parseAmount(text: string): Cents | undefined {
  return parseDollars(
    text
      .trim()
      .replace(/^\+/, '')
      .replace(/(\.\d\d)0+$/, '$1'),
  );
}

/**
 * Returns the available balance: the less of Basiq's two figures. Undefined where neither can be read, or the account
 * is not shared any more.
 */
export function toBalance({ status, balance, availableFunds }: AccountAnswer): Cents | undefined {
  if (status !== 'available') return undefined;
  const amounts = [balance, availableFunds].flatMap((text) => (text ? (parseAmount(text) ?? []) : []));
  return amounts.length === 0 ? undefined : cents(Math.min(...amounts));
}

function isBillPayment({ paymentDetails }: TransactionAnswer): boolean {
  const { bpay, apcaNumber } = paymentDetails ?? {};
  const hasBpay = Object.values(bpay ?? {}).some((value) => value !== null && value !== '');
  return hasBpay || (apcaNumber !== null && apcaNumber !== undefined && apcaNumber !== '');
}

/** Times come in UTC; a date of midnight in Sydney, or of midnight in UTC, both fall on the bank's day in Sydney. */
function instantOf(...texts: (string | null | undefined)[]): Date | undefined {
  return texts.map((text) => new Date(text ?? '')).find((instant) => !Number.isNaN(instant.getTime()));
}

/** Returns a transaction; undefined where it has no exact amount or, posted, no day: it can be neither rounded nor shown. */
export function toTransaction(answer: TransactionAnswer, now: Date): (BankTransaction & { at: Date }) | undefined {
  const status = answer.status === 'posted' ? 'posted' : 'pending';
  const at =
    status === 'posted'
      ? instantOf(answer.postDate, answer.transactionDate)
      : (instantOf(answer.transactionDate, answer.postDate) ?? now);
  const signed = parseAmount(answer.amount);
  if (at === undefined || signed === undefined) return undefined;
  const isDebit = answer.direction === 'debit' || (answer.direction !== 'credit' && signed < 0);
  return {
    id: answer.id,
    accountId: answer.account,
    status,
    direction: isDebit ? 'debit' : 'credit',
    kind: answer.class || undefined,
    currency: answer.currency ?? '',
    amount: magnitude(signed),
    description: answer.description ?? '',
    isBillPayment: isBillPayment(answer),
    day: sydneyDay(at),
    at,
  };
}
