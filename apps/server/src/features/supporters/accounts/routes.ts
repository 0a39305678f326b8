import * as contract from '@sparechange/contract';
import type { Caller } from '#caller.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { refuseOldSignIn } from '#http/recent-sign-in.ts';
import type { Call, Serve } from '#http/serve.ts';
import { refuseOtherTenantA } from '#tenants/load-tenants.ts';
import { listAccounts } from './account-repository.ts';
import { type Agreement, chooseFundingAccount, type FundingDeps } from './choose-funding-account.ts';
import { chooseRoundUpAccounts, refuseOtherLists } from './choose-round-up-accounts.ts';
import { retrieveAccounts } from './retrieve-accounts.ts';

const agreementOf = ({ request, tenant }: Call): Agreement => ({
  tenant,
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
});

export function accountRoutes(serve: Serve, deps: FundingDeps): void {
  const { db, clock } = deps;

  /** Once onboarded, agreeing to a debit needs a sign-in just before, even for the same account. */
  const refuseUnproven = async (caller: Caller, accountId: string): Promise<void> => {
    const { onboardedOn } = await getSupporter(db, caller.supporterId);
    const accounts = onboardedOn ? await listAccounts(db, caller.supporterId) : [];
    if (accounts.some(({ id }) => id === accountId)) refuseOldSignIn(caller);
  };

  serve.supporter(contract.retrieveAccounts, async (_input, caller) => {
    await retrieveAccounts(deps, caller.supporterId);
    return { status: 200 as const };
  });

  serve.supporter(contract.accounts, async (_input, caller) => {
    const accounts = await listAccounts(db, caller.supporterId);
    const documents = accounts.map((account) => ({
      _id: account.id,
      id: account.providerAccountId,
      name: account.name,
      accountNumber: account.maskedNumber,
      activeRoundUpsEnabled: account.roundUpsOn,
      activeDebitEnabled: account.isFunding,
      kind: account.kind,
      canFund: account.canFund,
    }));
    return { accountsData: { documents } };
  });

  serve.supporter(contract.setRoundUpAccounts, async ({ RoundUpAccounts }, caller) => {
    await chooseRoundUpAccounts(db, clock, caller.supporterId, RoundUpAccounts);
    return {};
  });

  serve.supporter(contract.updateRoundUpAccounts, async ({ roundUpAccounts }, caller) => ({
    results: await chooseRoundUpAccounts(db, clock, caller.supporterId, roundUpAccounts),
  }));

  serve.supporter(contract.registerFunding, async ({ account_id, accountId, tenantA }, caller, call) => {
    refuseOtherTenantA(call.tenant, tenantA);
    const chosen = { accountId: account_id, providerAccountId: accountId };
    await refuseUnproven(caller, account_id);
    await chooseFundingAccount(deps, caller.supporterId, chosen, agreementOf(call));
    return {};
  });

  serve.supporter(contract.updateFundingAccount, async ({ accounts, tenantA }, caller, call) => {
    refuseOtherTenantA(call.tenant, tenantA);
    const own = await listAccounts(db, caller.supporterId);
    refuseOtherLists(
      own.map(({ id, providerAccountId }) => `${id} ${providerAccountId}`),
      accounts.map(({ account_id, accountId }) => `${account_id} ${accountId}`),
    );
    const chosen = accounts.find((account) => account.activeDebitEnabled);
    if (chosen) {
      const account = { accountId: chosen.account_id, providerAccountId: chosen.accountId };
      await refuseUnproven(caller, chosen.account_id);
      await chooseFundingAccount(deps, caller.supporterId, account, agreementOf(call));
    }
    return {};
  });
}
