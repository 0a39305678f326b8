import type { BankAccount } from '@sparechange/contract';
import { isObject } from '#api/api-error.ts';

/**
 * The onboarding screens' navigation state. It is read by hand: of the screens that hand it on and read it only the
 * form to register needs the schema library.
 */
export function readSelectedClub(state: unknown): string | undefined {
  const club = isObject(state) ? state.selectedClubId : undefined;
  return typeof club === 'string' && club.length > 0 && club.length <= 80 ? club : undefined;
}

const isAccount = (value: unknown): value is BankAccount =>
  isObject(value) &&
  [value._id, value.id, value.name, value.accountNumber].every((text) => typeof text === 'string') &&
  [value.activeRoundUpsEnabled, value.activeDebitEnabled, value.canFund].every((flag) => typeof flag === 'boolean') &&
  ['string', 'undefined'].includes(typeof value.kind);

/** Reads the accounts handed on for this supporter, ignoring others'. */
export function readChosenAccounts(state: unknown, cdrid: string): BankAccount[] {
  if (!isObject(state) || state.cdrid !== cdrid || !Array.isArray(state.accounts)) return [];
  return state.accounts.every(isAccount) ? state.accounts : [];
}

/** Leads to the bank once more, though it is connected. */
export const askForBank = { asksForBank: true };
export const readAskForBank = (state: unknown): boolean => isObject(state) && state.asksForBank === true;
