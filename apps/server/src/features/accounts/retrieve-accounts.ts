import { maskAccountNumber } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { pollConnections } from '#features/consent/poll-connections.ts';
import { refreshConsent } from '#features/consent/refresh-consent.ts';
import { getSupporter } from '#features/identity/user-record.ts';
import { conflict } from '#http/errors.ts';
import type { BankAccountDetails, BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { Seal } from '#secrets/seal.ts';
import { type FetchedAccount, hideOtherAccounts, saveAccount } from './account-repository.ts';

export interface AccountDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  seal: Seal;
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

function fetched(account: BankAccountDetails, supporterId: string, seal: Seal): FetchedAccount {
  const { bsb, accountNumber } = account;
  const isDeposit = account.kind === 'transaction' || account.kind === 'savings';
  return {
    providerAccountId: account.id,
    name: account.name,
    kind: account.kind,
    maskedNumber: maskAccountNumber(accountNumber ?? digitsOf(account.displayNumber)),
    canFund: isDeposit && account.currency === 'AUD' && account.isAvailable && Boolean(bsb && accountNumber),
    bsbSealed: bsb ? seal.close(bsb, `supporter ${supporterId} bsb`) : null,
    accountNumberSealed: accountNumber ? seal.close(accountNumber, `supporter ${supporterId} account number`) : null,
  };
}

/** Fetches the supporter's accounts from the bank, once the consent is there. */
export async function retrieveAccounts(deps: AccountDeps, supporterId: string): Promise<void> {
  const { db, clock, bankLink, seal } = deps;
  const supporter = await getSupporter(db, supporterId);
  const isActive = await refreshConsent(db, clock, bankLink, supporterId);
  if (!supporter.bankCustomerId || !isActive) throw conflict('There is no active bank connection.');
  await pollConnections(db, clock, bankLink, supporter);
  const accounts = (await bankLink.listAccounts(supporter.bankCustomerId)).map((account) =>
    fetched(account, supporterId, seal),
  );
  await db.begin(async (tx) => {
    for (const account of accounts) await saveAccount(tx, supporterId, account);
    await hideOtherAccounts(
      tx,
      supporterId,
      accounts.map((account) => account.providerAccountId),
    );
  });
}
