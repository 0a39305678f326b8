import { randomUUID } from 'node:crypto';
import { cents } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { InvalidInput, NotAllowed, SignedOut } from '#errors.ts';
import { keepRequestText, requestTextOf, type TermsOfTenant } from '#features/direct-debit-request/request-text.ts';
import { mailDirectDebitRequest, mailFundingChanged } from '#features/emails/queue-change-emails.ts';
import { getSupporter } from '#features/supporters/user-record.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { type Account, listAccounts, saveFundingAccount } from './account-repository.ts';
import { refuseUnlessApproved } from './holder-review.ts';
import type { AccountDeps } from './retrieve-accounts.ts';

/** The most one debit may take, as the agreement says. */
const debitCeiling = cents(1000_00);

/** Where and how the supporter agreed. */
export interface Agreement {
  tenant: TermsOfTenant;
  ip: string;
  userAgent: string;
}

export interface FundingDeps extends AccountDeps {
  directDebit: DirectDebit;
}

async function ownFundable(
  deps: FundingDeps,
  supporterId: string,
  accountId: string,
  providerId: string,
): Promise<Account> {
  const account = (await listAccounts(deps.db, supporterId)).find((candidate) => candidate.id === accountId);
  if (!account || account.providerAccountId !== providerId) throw new NotAllowed();
  if (!account.canFund) throw new InvalidInput('Direct debits cannot be taken from that account.');
  return account;
}

/**
 * Makes an account the only funding account under a new mandate, which is kept with the text,
 * time, address and agent; a copy of the text is mailed. The intent is committed before the provider is called. Of two
 * choices at once the later one stays; where the account was closed meanwhile the daily run withdraws the mandate.
 */
export async function chooseFundingAccount(
  deps: FundingDeps,
  supporterId: string,
  chosen: { accountId: string; providerAccountId: string },
  agreement: Agreement,
): Promise<void> {
  const { db, clock, encryption, directDebit } = deps;
  const supporter = await getSupporter(db, supporterId);
  const account = await ownFundable(deps, supporterId, chosen.accountId, chosen.providerAccountId);
  if (!account.bsbEncrypted || !account.accountNumberEncrypted)
    throw new InvalidInput('Direct debits cannot be taken from that account.');
  if (account.holderDiffers) await refuseUnlessApproved(deps, supporterId, account.id);
  const id = randomUUID();
  const payerName = `${supporter.firstName} ${supporter.lastName}`;
  const now = clock.now();
  const text = requestTextOf(agreement.tenant);
  await keepRequestText(db, text, now);
  await db`
    insert into mandates (supporter_id, id, account_id, terms_version, text_hash, payer_name, masked_account,
      tenant, ceiling_cents, agreed_at, ip, user_agent)
    values (${supporterId}, ${id}, ${account.id}, ${text.version}, ${text.hash}, ${payerName},
      ${account.maskedNumber}, ${agreement.tenant.key}, ${debitCeiling}, ${now}, ${agreement.ip}, ${agreement.userAgent})`;
  const mandateRef = await directDebit.createMandate({
    id,
    name: payerName,
    email: supporter.email,
    bsb: encryption.decrypt(account.bsbEncrypted, `supporter ${supporterId} bsb`),
    accountNumber: encryption.decrypt(account.accountNumberEncrypted, `supporter ${supporterId} account number`),
    ceiling: debitCeiling,
  });
  const isChosen = await db.begin(async (tx) => {
    const [{ isClosed } = { isClosed: true }] = await tx<{ isClosed: boolean }[]>`
      select closed_on is not null as "isClosed" from supporters where supporter_id = ${supporterId} for no key update`;
    // keepAccounts may have merged the chosen account into another one meanwhile; it moved the mandate there as well.
    const [{ accountId } = { accountId: account.id }] = await tx<{ accountId: string }[]>`
      update mandates set mandate_ref = ${mandateRef} where supporter_id = ${supporterId} and id = ${id}
      returning account_id as "accountId"`;
    if (isClosed) return false;
    await saveFundingAccount(tx, supporterId, accountId);
    await moveWaitingDebits(tx, supporterId, id);
    const details = { account: account.maskedNumber, mandate: id };
    await appendToAuditLog(tx, { supporterId, at: now, actor: 'supporter', action: 'chose funding account', details });
    await mailDirectDebitRequest(tx, { supporterId, mandateId: id, textHash: text.hash, at: now });
    if (supporter.onboardedOn && !account.isFunding)
      await mailFundingChanged(tx, { supporterId, mandateId: id, at: now });
    return true;
  });
  if (!isChosen) throw new SignedOut();
}

/** Moves debits that are planned and not yet submitted to the mandate that was given last. */
async function moveWaitingDebits(tx: Db, supporterId: string, mandateId: string): Promise<void> {
  await tx`update debits set mandate_id = ${mandateId} where supporter_id = ${supporterId} and state = 'planned'`;
}
