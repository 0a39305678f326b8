/** A stored account with every provider id it has had. */
export interface StoredAccount {
  id: string;
  providerAccountIds: string[];
  /** In hexadecimal; undefined if only the provider's id identifies it. */
  identity: string | undefined;
  isFunding: boolean;
  roundUpsOn: boolean;
  isListed: boolean;
}

/** An account in the bank's list. */
export interface ShownAccount {
  providerAccountId: string;
  /** In hexadecimal, under each data key; empty if only the provider's id identifies it. */
  identities: string[];
  /** True if the identity comes from a whole, unmasked number. */
  hasNumber: boolean;
  connectionId: string | undefined;
  isAvailable: boolean;
}

export interface Match<Stored, Shown> {
  /** Stored account that keeps its choices; undefined if new. */
  kept: Stored | undefined;
  /** Accounts stored separately before that are in fact this one. */
  merged: Stored[];
  /** Entry to show and query. */
  shown: Shown;
  /** Every provider id of this account in the list. */
  shownAs: string[];
}

/**
 * Matches shown accounts with stored ones. The account's own number decides, or the provider's id if there is no number
 * or the number of an id has changed.
 */
export function matchAccounts<Stored extends StoredAccount, Shown extends ShownAccount>(
  stored: Stored[],
  shown: Shown[],
): Match<Stored, Shown>[] {
  const groups = groupShown(withoutAmbiguity(shown));
  const groupOf = new Map(stored.map((account) => [account, findGroup(groups, account)]));
  return groups.map((group) => {
    const [kept, ...merged] = stored.filter((account) => groupOf.get(account) === group).sort(byWorth);
    return { kept, merged, shown: current(group, kept), shownAs: group.map((each) => each.providerAccountId) };
  });
}

/** Two masked entries of one connection that look alike are two cards, which only their ids distinguish. */
function withoutAmbiguity<Shown extends ShownAccount>(shown: Shown[]): Shown[] {
  const isAlike = (one: Shown, other: Shown) =>
    one !== other && one.connectionId === other.connectionId && one.identities[0] === other.identities[0];
  return shown.map((each) =>
    !each.hasNumber && each.connectionId !== undefined && shown.some((other) => isAlike(each, other))
      ? { ...each, identities: [] }
      : each,
  );
}

function groupShown<Shown extends ShownAccount>(shown: Shown[]): Shown[][] {
  return [
    ...Map.groupBy(shown, ({ identities, providerAccountId }) => identities[0] ?? `id ${providerAccountId}`).values(),
  ];
}

function findGroup<Shown extends ShownAccount>(groups: Shown[][], account: StoredAccount): Shown[] | undefined {
  const { identity, providerAccountIds } = account;
  const byNumber = identity && groups.find((group) => group[0]?.identities.includes(identity));
  return byNumber || groups.find((group) => group.some((each) => providerAccountIds.includes(each.providerAccountId)));
}

/** Prefers the debited account, then tracked ones, then those the bank showed last, then the oldest. */
const byWorth = (one: StoredAccount, other: StoredAccount): number =>
  Number(other.isFunding) - Number(one.isFunding) ||
  Number(other.roundUpsOn) - Number(one.roundUpsOn) ||
  Number(other.isListed) - Number(one.isListed) ||
  (one.id < other.id ? -1 : 1);

/**
 * Prefers an id never seen before, which belongs to the newest connection; otherwise the id in use stays while it is
 * shown.
 */
function current<Shown extends ShownAccount>(group: Shown[], kept: StoredAccount | undefined): Shown {
  const known = kept?.providerAccountIds ?? [];
  const worth = (each: Shown): number =>
    Number(each.isAvailable) * 4 +
    Number(!known.includes(each.providerAccountId)) * 2 +
    Number(known[0] === each.providerAccountId);
  return group.reduce((best, each) => (worth(each) > worth(best) ? each : best));
}
