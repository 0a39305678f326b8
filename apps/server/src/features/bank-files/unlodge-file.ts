import type { Pool } from '#db/connect.ts';
import type { DirectEntryBook, Unlodging } from '#ports/direct-entry-book.ts';
import { hasReturned, hasTotalOnStatement, isNamedOnStatement, lockFile } from './signs-of-bank.ts';

/** Takes the mark as lodged off a file, before anything counts as cleared by it (docs/rules.md#clearing-without-news). */
export function unlodgeFile(
  db: Pool,
  name: string,
  { today, seen, balancingReference }: Parameters<DirectEntryBook['unlodgeFile']>[1],
): Promise<Unlodging> {
  return db.begin(async (tx) => {
    const file = await lockFile(tx, name);
    if (!file?.lodgedAt || !file.clearsOn) return 'not lodged';
    if (seen && seen.getTime() !== file.lodgedAt.getTime()) return 'lodged at another time';
    if (file.isDone || file.clearsOn <= today) return 'clears';
    if (await hasReturned(tx, file)) return 'returned';
    if (await isNamedOnStatement(tx, file, balancingReference)) return 'on statement';
    if (await hasTotalOnStatement(tx, file)) return 'on statement';
    await tx`update direct_entry.files set lodged_at = null, clears_on = null where name = ${name}`;
    return 'unlodged';
  });
}
