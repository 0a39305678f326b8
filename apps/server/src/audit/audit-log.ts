import type { ErrorCode } from '@sparechange/contract';
import type { Db } from '#db/connect.ts';

/** The chain of entries that concern no supporter. */
export const operatorsChain = '00000000-0000-0000-0000-000000000000';

export interface AuditEntry {
  supporterId: string;
  at: Date;
  /** `supporter`, `operator`, `timetable` or a provider's name. */
  actor: string;
  /** The action as a short phrase: "paused round-ups". */
  action: string;
  /** Never bank data or secrets. */
  details?: Record<string, string | number | boolean | null>;
}

const insertEntry = (db: Db, { supporterId, at, actor, action, details = {} }: AuditEntry) => db<{ id: string }[]>`
  insert into audit_log (supporter_id, at, actor, action, details)
  values (${supporterId}, ${at}, ${actor}, ${action}, ${db.json(details)}) returning id`;

/** Appends who changed what. */
export async function appendToAuditLog(db: Db, entry: AuditEntry): Promise<void> {
  await insertEntry(db, entry);
}

/** Returns the ids that an entry's details name, by which an index finds the operators' entries. */
export const idsNamed = (db: Db) => db`regexp_split_to_array(details::text, '[^0-9a-f-]+')`;

/** A person who acts for the organisation: at the command line, or signed in to the console. */
export interface Actor {
  kind: 'operating_system' | 'console';
  /** The name of the operating-system user, or the id of the console's person. */
  id: string;
}

/** Names an actor in the audit log. */
export const actorName = ({ kind, id }: Actor): string => (kind === 'console' ? `console ${id}` : id);

/** Returns the id of the person in such a name. */
export const personNamed = (name: string): string | undefined => /^console (\S+)$/.exec(name)?.[1];

export const isSamePerson = (one: Actor, other: Actor): boolean => one.kind === other.kind && one.id === other.id;

/** Appends an act of the organisation, which concerns no supporter, and who did it. */
export const appendOperatorsAct = (
  db: Db,
  { by, details = {}, ...act }: Pick<AuditEntry, 'at' | 'action' | 'details'> & { by?: Actor | undefined },
): Promise<void> =>
  appendToAuditLog(db, {
    ...act,
    supporterId: operatorsChain,
    actor: 'operator',
    details: by ? { ...details, by: actorName(by) } : details,
  });

/** The end of a call of the console that was not carried out. */
export interface CallRefusal {
  /** The entry of the call. */
  call: string;
  code: ErrorCode;
  /** True for a fault, after which a part may have been done. */
  isFault: boolean;
}

/** Appends a call of the console, before it is carried out, or the refusal of one; returns the entry's id. */
export async function appendConsoleCall(
  db: Db,
  { at, name, details }: { at: Date; name: string; details: Record<string, string> },
  refusal?: CallRefusal,
): Promise<string> {
  const end = refusal ? (refusal.isFault ? ' failed' : ' refused') : '';
  const [entry] = await insertEntry(db, {
    supporterId: operatorsChain,
    at,
    actor: 'operator',
    action: `console ${name}${end}`,
    details: refusal ? { ...details, call: refusal.call, refusal: refusal.code } : details,
  });
  return entry?.id ?? '';
}
