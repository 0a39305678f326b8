import { type ConnectionStatus, connectionStatus, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import type { Supporter } from '#features/supporters/profiles/supporter-repository.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';

/**
 * Polls the state of the connections to the banks of a supporter's accounts in use, and stores the answer
 * (docs/decisions/consents.md#renewal). A bank link that temporarily shows none of them changes nothing.
 */
export async function pollConnections(
  db: Pool,
  clock: Clock,
  bankLink: BankLink,
  { supporterId, bankCustomerId, connectionEndsAt, connectionEndedOn }: Supporter,
): Promise<ConnectionStatus> {
  const used = bankCustomerId ? await listUsedAccounts(db, supporterId) : [];
  const listed = used.flatMap(({ providerId, isListed }) => (isListed ? [providerId] : []));
  const connections = bankCustomerId ? await bankLink.connectionsOf(bankCustomerId, listed) : [];
  const stored = { endsAt: connectionEndsAt, hasEnded: connectionEndedOn !== null, dataAt: null };
  if (used.length > 0 && connections.length === 0) return stored;
  const status = connectionStatus(connections);
  const { endsAt, hasEnded } = status;
  const isKept = stored.endsAt?.getTime() === endsAt?.getTime() && stored.hasEnded === hasEnded;
  if (!isKept) await saveConnections(db, supporterId, status, today(clock));
  return status;
}

/** Keeps the first day on which the end was detected. */
async function saveConnections(
  db: Db,
  supporterId: string,
  { endsAt, hasEnded }: ConnectionStatus,
  day: IsoDate,
): Promise<void> {
  await db`
    update supporters set connection_ends_at = ${endsAt},
      connection_ended_on = case when ${hasEnded} then coalesce(connection_ended_on, ${day}::date) end
    where supporter_id = ${supporterId}`;
}

/** Returns the tracked or debited accounts, also those that the bank leaves out at present. */
const listUsedAccounts = (db: Db, supporterId: string): Promise<{ providerId: string; isListed: boolean }[]> => db`
  select provider_account_id as "providerId", is_listed as "isListed" from accounts
  where supporter_id = ${supporterId} and (round_ups_on or is_funding)`;
