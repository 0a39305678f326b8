import { type ConnectionStatus, connectionStatus, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import type { Supporter } from '#features/supporters/supporter-repository.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';

/** Asks how the connections to the banks of somebody's accounts in use stand, and keeps the answer (docs/decisions/0033). */
export async function pollConnections(
  db: Pool,
  clock: Clock,
  bankLink: BankLink,
  { supporterId, bankCustomerId, connectionEndsAt, connectionEndedOn }: Supporter,
): Promise<ConnectionStatus> {
  const connections = bankCustomerId
    ? await bankLink.connectionsOf(bankCustomerId, await listUsedAccounts(db, supporterId))
    : [];
  const standing = connectionStatus(connections);
  const { endsAt, hasEnded } = standing;
  const isKept = connectionEndsAt?.getTime() === endsAt?.getTime() && (connectionEndedOn !== null) === hasEnded;
  if (!isKept) await saveConnections(db, supporterId, standing, today(clock));
  return standing;
}

/** Keeps the first day on which the end was noticed. */
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

/** Returns provider ids of the tracked or debited accounts. */
async function listUsedAccounts(db: Db, supporterId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select provider_account_id as id from accounts where supporter_id = ${supporterId} and is_listed and (round_ups_on or is_funding)`;
  return rows.map(({ id }) => id);
}
