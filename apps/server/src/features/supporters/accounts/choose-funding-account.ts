import { randomUUID } from 'node:crypto';
import { cents } from '@sparechange/domain';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { Conflict, InvalidInput, NotAllowed, SignedOut } from '#errors.ts';
import { isInEffect } from '#features/core/debiting/conditions.ts';
import {
  keepRequestText,
  requestTextOf,
  type TermsOfTenant,
} from '#features/correspondence/direct-debit-request/request-text.ts';
import { mailDirectDebitRequest, mailFundingChanged } from '#features/correspondence/emails/queue-change-emails.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { type Account, listAccounts, saveFundingAccount } from './account-repository.ts';
import { refuseUnlessApproved } from './holder-review.ts';
import type { AccountDeps } from './retrieve-accounts.ts';

/** Maximum amount of one debit, as the agreement says. */
const debitCeiling = cents(1000_00);

/** Place and manner of the supporter's agreement. */
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
 * Makes an account the only funding account under a new mandate, which is stored with the text, time, address and
 * agent; a copy of the text is emailed. The intent is committed before the provider is called. Of two concurrent
 * choices the later one stays. Throws Conflict if the supporter has in that time stopped debits, deleted the account or
 * chosen another one, and SignedOut if they have closed theirs; the daily run cancels the mandate.
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
  const wasDebited = await isDebited(db, supporterId);
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
  const outcome = await db.begin(async (tx): Promise<Outcome> => {
    const [{ isClosed } = { isClosed: true }] = await tx<{ isClosed: boolean }[]>`
      select closed_on is not null as "isClosed" from supporters where supporter_id = ${supporterId} for no key update`;
    // storeAccounts may have merged the chosen account into another one since; it moved the mandate there as well.
    const [{ accountId } = { accountId: account.id }] = await tx<{ accountId: string }[]>`
      update mandates set mandate_ref = ${mandateRef} where supporter_id = ${supporterId} and id = ${id}
      returning account_id as "accountId"`;
    if (isClosed) return 'closed';
    const overtaken = await findOvertaking(tx, supporterId, { accountId, agreedAt: now, wasDebited });
    if (overtaken) return overtaken;
    await saveFundingAccount(tx, supporterId, accountId);
    await moveWaitingDebits(tx, supporterId, id);
    const details = { account: account.maskedNumber, mandate: id };
    await appendToAuditLog(tx, { supporterId, at: now, actor: 'supporter', action: 'chose funding account', details });
    await mailDirectDebitRequest(tx, { supporterId, mandateId: id, textHash: text.hash, at: now });
    if (supporter.onboardedOn && !account.isFunding)
      await mailFundingChanged(tx, { supporterId, mandateId: id, at: now });
    return 'chosen';
  });
  if (outcome === 'closed') throw new SignedOut();
  if (outcome === 'overtaken') throw new Conflict('Debits have since been stopped, or another account chosen.');
}

type Outcome = 'chosen' | 'chosen again' | 'closed' | 'overtaken';

interface PendingChoice {
  accountId: string;
  agreedAt: Date;
  /** True if an account was debited before this choice. */
  wasDebited: boolean;
}

async function isDebited(db: Db, supporterId: string): Promise<boolean> {
  return (await db`select from accounts where supporter_id = ${supporterId} and is_funding`).length > 0;
}

/**
 * Returns the event that overtook a choice during the call to the provider: stopping leaves no account to debit,
 * deleting no account at all, and a later choice stands. A later one of the same account is this choice again.
 */
async function findOvertaking(
  tx: Db,
  supporterId: string,
  { accountId, agreedAt, wasDebited }: PendingChoice,
): Promise<'overtaken' | 'chosen again' | undefined> {
  const [kept] = await tx`select from accounts where supporter_id = ${supporterId} and id = ${accountId}`;
  if (!kept || (wasDebited && !(await isDebited(tx, supporterId)))) return 'overtaken';
  const [later] = await tx<{ accountId: string }[]>`
    select accounts.id as "accountId" from accounts join mandates later
      on later.supporter_id = accounts.supporter_id and later.account_id = accounts.id
    where accounts.supporter_id = ${supporterId} and is_funding and agreed_at > ${agreedAt}
      and ${isInEffect(tx, 'later')} limit 1`;
  if (!later) return undefined;
  return later.accountId === accountId ? 'chosen again' : 'overtaken';
}

/** Moves planned, unsubmitted debits to the newest mandate. */
async function moveWaitingDebits(tx: Db, supporterId: string, mandateId: string): Promise<void> {
  await tx`update debits set mandate_id = ${mandateId} where supporter_id = ${supporterId} and state = 'planned'`;
}
