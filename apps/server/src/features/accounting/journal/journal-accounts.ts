import type { PlatformAccount } from '#features/accounting/bookkeeping/platform-accounts.ts';
import type { LedgerAccount } from '#features/core/ledger/post.ts';

export type ClubAccount = 'collected' | 'payable' | 'in_transit' | 'remitted' | 'adjusted' | 'reserved';

/** Accounts of each ledger, on their own sides (docs/decisions/ledger.md). */
const names = {
  supporters: {
    pledged: 'Assets:Supporters:Pledged',
    in_flight: 'Assets:Supporters:In-Flight',
    cash: 'Assets:Supporters:Cash',
    savings_recoverable: 'Assets:Supporters:Savings-Recoverable',
    receivable_from_payer: 'Assets:Supporters:Receivable-From-Payer',
    promised: 'Liabilities:Supporters:Promised',
    club_payable: 'Liabilities:Supporters:Club-Payable',
    savings_payable: 'Liabilities:Supporters:Savings-Payable',
    savings_depositing: 'Liabilities:Supporters:Savings-Depositing',
    savings_deposited: 'Liabilities:Supporters:Savings-Deposited',
    repaying: 'Liabilities:Supporters:Repaying',
    repaid: 'Liabilities:Supporters:Repaid',
  } satisfies Record<LedgerAccount, string>,
  clubs: {
    collected: 'Assets:Clubs:Collected',
    adjusted: 'Assets:Clubs:Adjusted',
    payable: 'Liabilities:Clubs:Payable',
    reserved: 'Liabilities:Clubs:Reserved',
    in_transit: 'Liabilities:Clubs:In-Transit',
    remitted: 'Liabilities:Clubs:Remitted',
  } satisfies Record<ClubAccount, string>,
  platform: {
    trust_bank: 'Assets:Platform:Trust-Bank',
    provider_float: 'Assets:Platform:Provider-Float',
    receivable_from_club: 'Assets:Platform:Receivable-From-Club',
    receivable_from_saver: 'Assets:Platform:Receivable-From-Saver',
    receivable_from_payer: 'Assets:Platform:Receivable-From-Payer',
    fees: 'Assets:Platform:Fees',
    operator_loss: 'Assets:Platform:Operator-Loss',
    owed_to_clubs: 'Liabilities:Platform:Owed-To-Clubs',
    owed_to_savers: 'Liabilities:Platform:Owed-To-Savers',
    owed_to_payers: 'Liabilities:Platform:Owed-To-Payers',
    operator_funds: 'Liabilities:Platform:Operator-Funds',
    suspense: 'Liabilities:Platform:Suspense',
  } satisfies Record<PlatformAccount, string>,
};

export type LedgerName = keyof typeof names;

export const ledgerNames = Object.keys(names) as LedgerName[];

/** Returns an account's name in a journal; a club's part of an account is one level below it. */
export function journalAccount(ledger: LedgerName, account: string, club?: string): string {
  const name = (names[ledger] as Record<string, string>)[account];
  if (!name) throw new Error(`The account ${account} of ${ledger} has no name in a journal`);
  return club === undefined ? name : `${name}:${club}`;
}

/** Returns a club's part of an account name: its slug, or its id where programs would not take the slug. */
export const clubPart = (id: string, slug = ''): string =>
  /^[a-z\d][a-z\d-]*$/.test(slug) ? `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)}` : `Club-${id}`;

const titles: Record<LedgerName, Record<string, string>> = {
  supporters: {
    recorded: 'Round-ups recorded',
    donation: 'Donation made',
    submitted: 'Debit submitted',
    cleared: 'Debit cleared',
    returned: 'Debit returned',
    reversed: 'Debit reversed',
    refused: 'Debit refused',
    dropped: 'Pledge dropped',
    refunded: 'Purchase refunded',
    deposit_planned: 'Savings deposit planned',
    deposit_refused: 'Savings deposit refused',
    deposit_cleared: 'Savings deposit cleared',
    deposit_returned: 'Savings deposit returned',
    deposit_reversed: 'Savings deposit reversed',
    repayment_planned: 'Refund planned',
    repayment_refused: 'Refund refused',
    repayment_cleared: 'Refund cleared',
    repayment_returned: 'Refund returned',
    repayment_reversed: 'Refund reversed',
  },
  clubs: {
    collected: 'Collected for a club',
    planned: 'Payout planned',
    refused: 'Payout refused',
    cleared: 'Payout cleared',
    returned: 'Payout returned',
    reversed: 'Payout reversed',
    corrected: 'Correction of a club',
    reserved: 'Reserve of a club',
  },
  platform: {
    day_closed: 'Day closed',
    club_overpaid: 'Receivable from clubs',
    statement_line: 'Bank statement line',
    statement_line_matched: 'Bank statement line matched',
    statement_line_taken_back: 'Bank statement line taken back',
    correction: 'Correction',
  },
};

/** Returns the words for a kind of transfer; the kind itself where it has none yet. */
export const journalTitle = (ledger: LedgerName, kind: string): string =>
  titles[ledger][kind] ?? kind.replaceAll('_', ' ');
