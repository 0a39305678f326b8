import type { Role } from '@sparechange/contract/console';
import type { Db } from '#db/connect.ts';

export type OperatorStatus = 'invited' | 'active' | 'removed';

/** A person of the organisation or of clubs, who signs in to the console. */
export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  status: OperatorStatus;
  roles: Role[];
  clubs: { id: string; name: string }[];
  passkeys: number;
  hasPassword: boolean;
  signedInAt: Date | null;
}

export const hasSignIn = ({ passkeys, hasPassword }: OperatorRow): boolean => passkeys > 0 || hasPassword;

const columns = (db: Db) => db`
  operators.id, email, operators.name, status, roles, password_hash is not null as "hasPassword",
  signed_in_at as "signedInAt",
  (select count(*)::int from operator_passkeys where operator_id = operators.id) as passkeys,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', clubs.id, 'name', clubs.name) order by clubs.name)
    from operator_clubs join clubs on clubs.id = club_id where operator_id = operators.id), '[]') as clubs`;

export async function findOperator(db: Db, id: string): Promise<OperatorRow | undefined> {
  const [operator] = await db<OperatorRow[]>`select ${columns(db)} from operators where id = ${id}`;
  return operator;
}

/** Locks an operator until the transaction ends, so that removals and recoveries wait. */
export async function lockOperator(tx: Db, id: string): Promise<OperatorRow | undefined> {
  await tx`select from operators where id = ${id} for update`;
  return findOperator(tx, id);
}

export async function findOperatorByEmail(db: Db, email: string): Promise<OperatorRow | undefined> {
  const [operator] = await db<OperatorRow[]>`select ${columns(db)} from operators where email = ${email}`;
  return operator;
}

export interface PeopleFilter {
  after?: string | undefined;
  limit: number;
  search?: string | undefined;
  status?: OperatorStatus | undefined;
  role?: Role | undefined;
}

/** Lists people by address, after the last one of the previous page. */
export function listOperators(db: Db, { after = '', limit, search = '', status, role }: PeopleFilter) {
  return db<OperatorRow[]>`
    select ${columns(db)} from operators
    where email > ${after} and (${status ?? null}::text is null or status = ${status ?? null})
      and (${role ?? null}::text is null or ${role ?? null} = any(roles))
      and position(folded(${search}) in folded(operators.name || ' ' || email)) > 0
    order by email limit ${limit}`;
}

/** Saves an invited person, also one who was invited or removed before; returns undefined for an active one. */
export async function saveInvited(db: Db, person: { email: string; name: string }) {
  const [saved] = await db<{ id: string; before: 'invited' | 'removed' | null }[]>`
    insert into operators (email, name, roles) values (${person.email}, ${person.name}, '{}')
    on conflict (email) do update set name = excluded.name, status = 'invited'
    where operators.status <> 'active'
    returning id, old.status as before`;
  return saved;
}

/** Saves roles and clubs; the person who first gave each club is kept. */
export async function saveRoles(
  db: Db,
  id: string,
  roles: Role[],
  clubIds: string[],
  grantedBy: string,
): Promise<void> {
  await db`update operators set roles = ${roles} where id = ${id}`;
  await db`delete from operator_clubs where operator_id = ${id} and club_id <> all(${clubIds}::uuid[])`;
  await db`
    insert into operator_clubs (operator_id, club_id, granted_by)
    select ${id}, id, ${grantedBy} from clubs where id = any(${clubIds}::uuid[])
    on conflict do nothing`;
}

/** Takes away all roles and clubs. */
export async function takeRoles(db: Db, id: string): Promise<void> {
  await db`update operators set roles = '{}' where id = ${id}`;
  await db`delete from operator_clubs where operator_id = ${id}`;
}

export async function setStatus(db: Db, id: string, status: OperatorStatus): Promise<void> {
  await db`update operators set status = ${status} where id = ${id}`;
}

/** Removes every way to sign in, also one that is being set up. */
export async function forgetSignIn(db: Db, id: string): Promise<void> {
  await db`delete from operator_challenges where operator_id = ${id}`;
  await db`delete from operator_passkeys where operator_id = ${id}`;
  await db`update operators set password_hash = null, totp_secret_encrypted = null, totp_step = null where id = ${id}`;
}

/** Locks all owners until the transaction ends, and returns those who could act. */
export async function lockOwners(db: Db): Promise<string[]> {
  const owners = await db<{ id: string }[]>`
    select id from operators where status = 'active' and 'owner' = any(roles) order by id for update`;
  return owners.map(({ id }) => id);
}

/** Counts the owners, including those not yet active. */
export async function countOwners(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from operators where status <> 'removed' and 'owner' = any(roles)`;
  return row?.count ?? 0;
}

export function findClubsByName(db: Db, search: string) {
  return db<{ id: string; name: string }[]>`
    select id, name from clubs where position(folded(${search}) in folded(name)) > 0 order by lower(name), id limit 20`;
}

/** Counts those of the ids that are clubs. */
export async function countClubs(db: Db, ids: string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from clubs where id = any(${ids}::uuid[])`;
  return row?.count ?? 0;
}

/** Lists up to a hundred people, removed ones included, whose name or address has these words. */
export async function idsOf(db: Db, words: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from operators where position(folded(${words}) in folded(name || ' ' || email)) > 0 order by id limit 100`;
  return rows.map(({ id }) => id);
}
