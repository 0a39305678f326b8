import { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import type { Seal } from '#secrets/seal.ts';

const optional = z.string().transform((text) => (text === '' ? null : text));

const Line = z.object({
  id: z.uuid(),
  slug: z.string().regex(/^[a-z0-9-]{2,80}$/),
  name: z.string().min(1).max(120),
  parent_id: z.union([z.literal('').transform(() => null), z.uuid()]),
  abn: optional.pipe(
    z
      .string()
      .regex(/^\d{11}$/)
      .nullable(),
  ),
  bsb: optional.pipe(
    z
      .string()
      .regex(/^\d{6}$/)
      .nullable(),
  ),
  account_number: optional.pipe(
    z
      .string()
      .regex(/^\d{4,9}$/)
      .nullable(),
  ),
  account_name: optional,
});

const columns = Object.keys(Line.shape);

/** The file has no quoting: names with commas are refused rather than misread. */
function parseLines(text: string): z.output<typeof Line>[] {
  const [header, ...lines] = text.trim().split(/\r?\n/);
  if (header !== columns.join(',')) throw new Error(`The first line must be: ${columns.join(',')}`);
  const problems: string[] = [];
  const clubs = lines.flatMap((line, index) => {
    const values = line.split(',').map((value) => value.trim());
    const parsed = Line.safeParse(Object.fromEntries(columns.map((column, at) => [column, values[at] ?? ''])));
    if (values.length !== columns.length)
      problems.push(`line ${index + 2}: ${values.length} values, not ${columns.length}`);
    else if (!parsed.success)
      problems.push(
        ...parsed.error.issues.map((issue) => `line ${index + 2}: ${issue.path.join('.')}: ${issue.message}`),
      );
    else return [parsed.data];
    return [];
  });
  if (problems.length > 0) throw new Error(`Nothing was imported:\n${problems.join('\n')}`);
  return clubs;
}

/** Adds or renames clubs from a CSV, all or nothing; bad lines are named. Parents may come in any order. */
export async function importClubs(pool: Pool, seal: Seal, text: string): Promise<number> {
  const clubs = parseLines(text);
  await pool.begin(async (tx) => {
    for (const club of clubs) {
      await tx`
        insert into clubs (id, slug, name, abn, account_name, bsb_sealed, account_number_sealed)
        values (${club.id}, ${club.slug}, ${club.name}, ${club.abn}, ${club.account_name},
          ${club.bsb && seal.close(club.bsb, `club ${club.id} bsb`)},
          ${club.account_number && seal.close(club.account_number, `club ${club.id} account number`)})
        on conflict (id) do update set slug = excluded.slug, name = excluded.name, abn = excluded.abn,
          account_name = excluded.account_name, bsb_sealed = excluded.bsb_sealed,
          account_number_sealed = excluded.account_number_sealed`;
    }
    for (const club of clubs) await tx`update clubs set parent_id = ${club.parent_id} where id = ${club.id}`;
  });
  return clubs.length;
}
