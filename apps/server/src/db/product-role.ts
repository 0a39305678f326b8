import type { Db, Pool } from './connect.ts';
import { awaitTransactionLock } from './session-lock.ts';

/** The product's role in the embedded database. */
export const productRole = 'sparechange_product';

/** Written by the owner's functions or by migrations alone. */
const readOnly = ['public.audit_links', 'public.audit_heads', 'public.migrations'];
/** Derived from append-only entries by triggers in the product's name. */
const neverDeleted = ['public.ledger_balances', 'public.club_balances'];

interface Table {
  name: string;
  /** A partition is written through its whole, guarded by triggers. */
  isPartition: boolean;
  mayUpdate: boolean;
  mayDelete: boolean;
  /** The role's present rights, in the order of `rights`. */
  held: boolean[];
}

const rights = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'] as const;

/** Lists every table; those whose triggers refuse changes are append-only. */
const listTables = (owner: Db, role: string) => owner<Table[]>`
  select format('%I.%I', space.nspname, class.relname) as name, class.relispartition as "isPartition",
    not exists (select from pg_trigger guard where guard.tgrelid = class.oid and guard.tgfoid = 'public.refuse_change'::regproc
      and guard.tgtype & 16 > 0 and guard.tgqual is null and guard.tgattr = ''::int2vector) as "mayUpdate",
    not exists (select from pg_trigger guard where guard.tgrelid = class.oid and guard.tgfoid = 'public.refuse_change'::regproc
      and guard.tgtype & 8 > 0) as "mayDelete",
    array(select has_table_privilege(${role}, class.oid, kind)
      from unnest(${[...rights]}::text[]) with ordinality as given (kind, place) order by place) as held
  from pg_class class join pg_namespace space on space.oid = class.relnamespace
  where class.relkind in ('r', 'p', 'v', 'm') and class.relpersistence <> 't'
    and space.nspname !~ '^pg_' and space.nspname not in ('information_schema', 'pgboss')
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e')
  order by 1`;

interface Space {
  space: string;
  isUsable: boolean;
  /** The role may draw from and read every sequence. */
  areSequences: boolean;
}

/** Lists schemas with the role's present rights. */
const listSpaces = (owner: Db, role: string, spaces: string[]) => owner<Space[]>`
  select space, has_schema_privilege(${role}, space::regnamespace, 'usage') as "isUsable",
    not exists (select from pg_class sequence where relnamespace = space::regnamespace and relkind = 'S'
      and not (has_sequence_privilege(${role}, sequence.oid, 'usage') and has_sequence_privilege(${role}, sequence.oid, 'select'))
    ) as "areSequences"
  from unnest(${spaces}::text[]) as space`;

function rightsOn({ name: full, isPartition, mayUpdate, mayDelete }: Table): string[] {
  if (isPartition) return [];
  const name = full.replace(/^bucket_\d+\./, 'public.');
  if (readOnly.includes(name)) return ['select'];
  return [
    ...['select', 'insert'],
    ...(mayUpdate ? ['update'] : []),
    ...(mayDelete && !neverDeleted.includes(name) ? ['delete'] : []),
  ];
}

/** Returns whether the role of this connection has all it needs and nothing more; asks the server and changes nothing. */
export async function holdsItsRights(product: Db): Promise<boolean> {
  const [row] = await product<{ role: string }[]>`select current_user as role`;
  return row !== undefined && (await listChanges(product, row.role)).length === 0;
}

/**
 * Gives the product's role what it needs and nothing more, after every migration. Append-only tables get select and
 * insert; only their owner can alter, disable or empty them. Run again it changes nothing.
 */
export async function grantProductRole(owner: Pool, role: string): Promise<void> {
  await owner.begin(async (tx) => {
    await awaitTransactionLock(tx, 'sparechange.migrate');
    const [{ user } = { user: role }] = await tx<{ user: string }[]>`select current_user as user`;
    if (user === role) return;
    for (const statement of await listChanges(tx, role)) await tx.unsafe(statement);
  });
}

/** Lists the statements by which the owner gives a role its rights; none where it has them. */
async function listChanges(db: Db, role: string): Promise<string[]> {
  const tables = await listTables(db, role);
  const ofTables = tables.flatMap((table) => {
    const wanted = rightsOn(table);
    if (rights.every((right, place) => table.held[place] === wanted.includes(right))) return [];
    const grant = `grant ${wanted.join(', ')} on ${table.name} to "${role}"`;
    return [`revoke all on ${table.name} from "${role}"`, ...(wanted.length > 0 ? [grant] : [])];
  });
  const names = [...new Set(tables.flatMap(({ name }) => name.split('.')[0] ?? []))];
  const ofSpaces = (await listSpaces(db, role, names)).flatMap(({ space, isUsable, areSequences }) => [
    ...(isUsable ? [] : [`grant usage on schema ${space} to "${role}"`]),
    ...(areSequences ? [] : [`grant usage, select on all sequences in schema ${space} to "${role}"`]),
  ]);
  return [...ofTables, ...ofSpaces, ...(await listHandOver(db, role))];
}

/** Lists what gives the role the queues' schema, which they migrate themselves. */
async function listHandOver(db: Db, role: string): Promise<string[]> {
  const changes = await db<{ statement: string }[]>`
    with space as (select oid, nspowner from pg_namespace where nspname = 'pgboss')
    select format('alter schema pgboss owner to %I', ${role}::text) as statement, 0 as place
    from space where pg_get_userbyid(nspowner) <> ${role}
    union all select format('alter %s %s owner to %I', case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
      class.oid::regclass, ${role}::text), 1
    from pg_class class join space on space.oid = relnamespace
    where relkind in ('r', 'p', 'v') and pg_get_userbyid(relowner) <> ${role}
    union all select format('alter routine %s owner to %I', routine.oid::regprocedure, ${role}::text), 2
    from pg_proc routine join space on space.oid = pronamespace where pg_get_userbyid(proowner) <> ${role}
    union all select format('alter type %s owner to %I', kind.oid::regtype, ${role}::text), 3
    from pg_type kind join space on space.oid = typnamespace
    where typtype = 'e' and pg_get_userbyid(typowner) <> ${role}
    order by place`;
  return changes.map(({ statement }) => statement);
}

/** Returns a sentence why a role must not be the product's in production; undefined where it may. */
export async function problemOfRole(db: Db): Promise<string | undefined> {
  const [role] = await db<{ name: string; isMighty: boolean; ownsAudit: boolean }[]>`
    select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as "isMighty",
      exists (select from pg_class where relname = 'audit_log' and relkind in ('r', 'p')
        and pg_has_role(current_user, relowner, 'member')) as "ownsAudit"
    from pg_roles where rolname = current_user`;
  if (role?.isMighty) {
    return `The role "${role.name}" of DATABASE_URL is a superuser or may make roles or databases; give the product a plain one (docs/going-live.md).`;
  }
  if (role?.ownsAudit) {
    return `The role "${role.name}" of DATABASE_URL owns the audit log; set DATABASE_OWNER_URL for migrations and connect as another role (docs/going-live.md).`;
  }
  return undefined;
}
