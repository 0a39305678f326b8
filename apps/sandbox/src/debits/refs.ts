import type { Db } from '#world/database.ts';

/** Debit, credit, payment request, payment batch, agreement, contact. */
type Prefix = 'D' | 'C' | 'PR' | 'PB' | 'A' | 'CNT';

/** Returns a new reference of a kind, short and unique. */
export function nextRef(db: Db, prefix: Prefix): string {
  const key = `ref ${prefix}`;
  const row = db.find<{ value: string }>(
    `insert into settings (key, value) values (?, '46656')
     on conflict (key) do update set value = cast(cast(value as integer) + 1 as text) returning value`,
    key,
  );
  return `${prefix}.${Number(row?.value).toString(36)}`;
}
