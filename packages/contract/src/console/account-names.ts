/** Accounts of the platform's ledger, by their code. */
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
};
