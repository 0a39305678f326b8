/**
 * Accounts of the ledgers of the platform, of supporters and of clubs, by their code. An account that is part of one of the
 * platform's begins with its name.
 */
export const accountNames: Record<string, string> = {
  trust_bank: 'Trust account',
  provider_float: 'At the provider',
  receivable_from_club: 'Owed by clubs',
  receivable_from_saver: 'Owed by savers',
  receivable_from_payer: 'Owed by supporters',
  fees: 'Fees',
  operator_loss: "Operator's loss",
  owed_to_clubs: 'Owed to clubs',
  owed_to_savers: 'Owed to savers',
  owed_to_payers: 'Owed to supporters',
  operator_funds: "Operator's money",
  suspense: 'Suspense: not explained yet',
  pledged: 'Pledged, not requested',
  in_flight: 'Requested, unsettled',
  promised: 'Pledged, uncollected',
  cash: 'At the provider',
  savings_deposited: 'At the provider: paid to savers',
  repaid: 'At the provider: refunded',
  club_payable: 'Owed to clubs',
  savings_payable: 'Owed to savers',
  savings_depositing: 'Owed to savers: on its way',
  savings_recoverable: 'Owed by savers',
  repaying: 'Owed to supporters: on its way',
  collected: 'Collected for the club',
  payable: 'Owed to clubs',
  in_transit: 'Owed to clubs: on its way',
  remitted: 'At the provider: paid to clubs',
  adjusted: 'Corrections',
  reserved: 'Owed to clubs: reserved',
};

/** Returns an account's name; its code where it has none. */
export const accountName = (code: string): string => accountNames[code] ?? code;
