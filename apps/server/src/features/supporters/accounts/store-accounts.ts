import { isDeepStrictEqual } from 'node:util';
import { maskAccountNumber } from '@sparechange/domain';
import { isLikelyHolder } from '@sparechange/domain/account-holder';
import type { Db, Pool } from '#db/connect.ts';
import {
  type ConfirmedConnection,
  listConfirmedConnections,
} from '#features/supporters/consents/consent-link-repository.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankAccountDetails } from '#ports/bank-link.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { identitiesOf, identityText, storedIdentityText } from './account-identity.ts';
import { type Match, matchAccounts, type ShownAccount, type StoredAccount } from './match-accounts.ts';
import { reportMissingAccounts } from './report-missing.ts';
import {
  addAccount,
  deleteAlias,
  type FetchedAccount,
  freeProviderIds,
  lockStoredAccounts,
  markMissing,
  mergeAccounts,
  type StoredRow,
  saveAliases,
  updateAccount,
} from './stored-account-repository.ts';

type PersonName = { firstName: string; lastName: string };
type Shown = ShownAccount & { fetched: FetchedAccount };

/**
 * Stores the bank's list of a supporter's accounts (docs/decisions/accounts-and-round-ups.md#identity-of-an-account).
 * An account known under another provider id keeps its choices. One missing from the list is not used until the bank
 * shows it again. An empty list changes nothing: a provider returns one while a connection is being renewed. Returns
 * how many were skipped because no session of the supporter has confirmed their connection
 * (docs/decisions/consents.md#confirmation-in-the-supporters-session); all are once the consent has ended.
 */
export async function storeAccounts(
  { db, encryption }: { db: Pool; encryption: FieldEncryption },
  supporterId: string,
  listed: BankAccountDetails[],
  now: Date,
): Promise<number> {
  if (listed.length === 0) return 0;
  const holder = await getSupporter(db, supporterId);
  const shown = listed.map((account) => toShown(account, supporterId, holder, encryption));
  return db.begin(async (tx) => {
    const rows = await lockStoredAccounts(tx, supporterId);
    if (!rows) return shown.length;
    const stored = rows.map((row) => toStored(row, supporterId, encryption));
    const allMatches = matchAccounts(stored, shown);
    const confirmed = await listConfirmedConnections(tx, supporterId);
    const matches = allMatches.filter(
      (match) => match.kept || isConfirmed(match.shown.connectionId, confirmed, allMatches),
    );
    for (const { kept, merged } of matches) {
      for (const account of merged) await mergeAccounts(tx, supporterId, kept?.id ?? '', account.id);
    }
    await freeProviderIds(tx, supporterId, matches.flatMap(idIfRenumbered));
    const listedIds = new Set(shown.map(({ providerAccountId }) => providerAccountId));
    const knownAliases = new Set(stored.flatMap(({ providerAccountIds }) => providerAccountIds.slice(1)));
    const unchanged = new Set(
      matches.flatMap(
        ({ kept, shown }) => rows.find((row) => row.id === kept?.id && isUnchanged(row, shown))?.id ?? [],
      ),
    );
    for (const match of matches) await storeMatch(tx, supporterId, match, { listedIds, knownAliases, unchanged });
    const present = new Set(matches.flatMap(({ kept, merged }) => [kept, ...merged]));
    const missing = stored.filter((account) => !present.has(account)).map(({ id }) => id);
    await markMissing(tx, supporterId, missing, now);
    await reportMissingAccounts(tx, supporterId, now);
    return allMatches.length - matches.length;
  });
}

/** Returns whether a connection is confirmed; one that shows accounts already stored counts as confirmed. */
function isConfirmed(
  connectionId: string | undefined,
  confirmed: ConfirmedConnection[],
  matches: Match<StoredAccount, Shown>[],
): boolean {
  if (connectionId === undefined) return confirmed.length > 0;
  if (confirmed.some((each) => each.connectionId === connectionId)) return true;
  return matches.some(({ kept, shown }) => kept !== undefined && shown.connectionId === connectionId);
}

/** Returns the id of a stored account whose provider id changes. */
const idIfRenumbered = ({ kept, shown }: Match<StoredAccount, Shown>): string[] =>
  kept && kept.providerAccountIds[0] !== shown.providerAccountId ? [kept.id] : [];

/** Returns whether a stored account equals the bank's; equal identities mean equal account numbers. */
function isUnchanged(row: StoredRow, { identities, fetched }: Shown): boolean {
  const { providerAccountId, name, kind, institution, maskedNumber, canFund, holderDiffers } = row;
  const storedFields = { providerAccountId, name, kind, institution, maskedNumber, canFund, holderDiffers };
  const { bsbEncrypted, accountNumberEncrypted, ...fetchedFields } = fetched;
  return (
    row.isListed &&
    row.identity !== null &&
    toHex(row.identity) === identities[0] &&
    (row.bsbEncrypted === null) === (bsbEncrypted === null) &&
    (row.accountNumberEncrypted === null) === (accountNumberEncrypted === null) &&
    isDeepStrictEqual(storedFields, fetchedFields)
  );
}

async function storeMatch(
  tx: Db,
  supporterId: string,
  { kept, merged, shown, shownAs }: Match<StoredAccount, Shown>,
  { listedIds, knownAliases, unchanged }: { listedIds: Set<string>; knownAliases: Set<string>; unchanged: Set<string> },
): Promise<void> {
  const identity = shown.identities[0] ? Buffer.from(shown.identities[0], 'hex') : null;
  const id = kept?.id ?? (await addAccount(tx, supporterId, shown.fetched, identity));
  if (kept && knownAliases.has(shown.providerAccountId)) await deleteAlias(tx, supporterId, shown.providerAccountId);
  if (kept && !unchanged.has(kept.id)) await updateAccount(tx, supporterId, kept.id, shown.fetched, identity);
  const earlierProviderIds = [kept, ...merged].flatMap((account) => account?.providerAccountIds ?? []);
  const aliases = new Set([...shownAs, ...earlierProviderIds.filter((each) => !listedIds.has(each))]);
  aliases.delete(shown.providerAccountId);
  await saveAliases(tx, supporterId, id, [...aliases]);
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function toStored(row: StoredRow, supporterId: string, encryption: FieldEncryption): StoredAccount {
  const { id, providerAccountId, aliases, identity, isFunding, roundUpsOn, isListed } = row;
  const text = identity ? undefined : storedIdentityText(encryption, supporterId, row);
  const knownIdentity = identity ?? (text === undefined ? undefined : identitiesOf(encryption, supporterId, text)[0]);
  return {
    id,
    providerAccountIds: [providerAccountId, ...aliases],
    identity: knownIdentity && toHex(knownIdentity),
    isFunding,
    roundUpsOn,
    isListed,
  };
}

function toShown(
  account: BankAccountDetails,
  supporterId: string,
  holder: PersonName,
  encryption: FieldEncryption,
): Shown {
  const text = identityText(account);
  return {
    providerAccountId: account.id,
    identities: text === undefined ? [] : identitiesOf(encryption, supporterId, text).map(toHex),
    hasNumber: Boolean(account.bsb && account.accountNumber),
    connectionId: account.connectionId,
    isAvailable: account.isAvailable,
    fetched: { ...fetched(account, supporterId, encryption), holderDiffers: !isLikelyHolder(account.holder, holder) },
  };
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

function fetched(
  account: BankAccountDetails,
  supporterId: string,
  encryption: FieldEncryption,
): Omit<FetchedAccount, 'holderDiffers'> {
  const { bsb, accountNumber } = account;
  const isDeposit = account.kind === 'transaction' || account.kind === 'savings';
  return {
    providerAccountId: account.id,
    name: account.name,
    kind: account.kind,
    institution: account.institution ?? null,
    maskedNumber: maskAccountNumber(accountNumber ?? digitsOf(account.displayNumber)),
    canFund: isDeposit && account.currency === 'AUD' && account.isAvailable && Boolean(bsb && accountNumber),
    bsbEncrypted: bsb ? encryption.encrypt(bsb, `supporter ${supporterId} bsb`) : null,
    accountNumberEncrypted: accountNumber
      ? encryption.encrypt(accountNumber, `supporter ${supporterId} account number`)
      : null,
  };
}
