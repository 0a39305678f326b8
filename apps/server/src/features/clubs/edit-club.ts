import { randomUUID } from 'node:crypto';
import { type IsoDate, isAbn } from '@sparechange/domain';
import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { z } from 'zod';
import { appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { copyReferences } from '#db/copy-references.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { clubChanged, recordEvents } from '#features/events/record-events.ts';
import { type Clock, today } from '#ports/clock.ts';

const slugForm = z
  .string()
  .regex(/^[a-z0-9-]{2,80}$/, 'A link has 2 to 80 of a-z, 0-9 and hyphens.')
  .refine((slug) => !isReservedSlug(slug), 'That link is an address of the product.');

const ClubFacts = z.object({
  name: z.string().trim().min(1, 'A club has a name.').max(120),
  slug: slugForm,
  parentId: z.uuid('A parent is given by its id.').toLowerCase().nullable().default(null),
  abn: z.string().refine(isAbn, 'The check digits of the ABN are wrong.').nullable().default(null),
  contactEmail: z.email('The contact is an e-mail address.').max(254).nullable().default(null),
});
export type ClubFacts = z.input<typeof ClubFacts>;

interface Deps {
  db: Pool;
  clock: Clock;
  by: string;
}

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new InvalidInput(parsed.error.issues.map(({ message }) => message).join(' '));
  return parsed.data;
}

/** Refuses a link that leads to another club, or did, and a parent that is none. */
async function refuseTaken(
  tx: Db,
  id: string,
  { slug, parentId }: { slug?: string | undefined; parentId: string | null },
) {
  const [taken] = await tx`
    select from clubs where slug = ${slug ?? null} and id <> ${id}
    union all select from club_slugs where slug = ${slug ?? null} and club_id <> ${id}`;
  if (taken) throw new Conflict(`${slug} leads to another club, or did.`);
  if (!parentId) return;
  const [parent] = await tx<{ parentId: string | null }[]>`
    select parent_id as "parentId" from clubs where id = ${parentId}`;
  if (!parent) throw new NotFound('The parent');
  if (parentId === id || parent.parentId !== null) throw new Conflict('A parent is another club, and has none itself.');
}

async function note(tx: Db, { clock, by }: Deps, clubId: string, action: string, more: Record<string, string | null>) {
  const at = clock.now();
  const details = { club: clubId, ...more, by };
  await appendOperatorsAct(tx, { at, action, details });
  await recordEvents(tx, [clubChanged(clubId, at)]);
}

/** Changes a club, and its copies on further servers. */
async function change({ db }: Deps, work: (tx: Db) => Promise<string>): Promise<string> {
  const id = await db.begin(work);
  await copyReferences(db);
  return id;
}

/** Adds a club, without bank details yet; returns its id. */
export async function addClub(deps: Deps, given: ClubFacts): Promise<string> {
  const { name, slug, parentId, abn, contactEmail } = parse(ClubFacts, given);
  const id = randomUUID();
  return change(deps, async (tx) => {
    await refuseTaken(tx, id, { slug, parentId });
    await tx`
      insert into clubs (id, slug, name, parent_id, abn, contact_email)
      values (${id}, ${slug}, ${name}, ${parentId}, ${abn?.replaceAll(' ', '') ?? null}, ${contactEmail})`;
    await note(tx, deps, id, 'club added', { slug });
    return id;
  });
}

/** Finds a club by its id or link and keeps it from other changes. */
async function lockClub(tx: Db, idOrSlug: string) {
  const [club] = await tx<{ id: string; slug: string; parentId: string | null }[]>`
    select id, slug, parent_id as "parentId" from clubs
    where id::text = lower(${idOrSlug}) or slug = lower(${idOrSlug}) for update`;
  if (!club) throw new NotFound('The club');
  return club;
}

/** Changes what is given; its former link leads on to it. Returns the club's id. */
export async function editClub(deps: Deps, idOrSlug: string, given: Partial<ClubFacts>): Promise<string> {
  const changes = parse(ClubFacts.partial(), given);
  return change(deps, async (tx) => {
    const { id } = await lockClub(tx, idOrSlug);
    const wanted = Object.keys(given);
    await refuseTaken(tx, id, {
      ...changes,
      parentId: wanted.includes('parentId') ? (changes.parentId ?? null) : null,
    });
    await tx`
      update clubs set name = coalesce(${changes.name ?? null}, name), slug = coalesce(${changes.slug ?? null}, slug),
        parent_id = case when ${wanted.includes('parentId')} then ${changes.parentId ?? null}::uuid else parent_id end,
        abn = case when ${wanted.includes('abn')} then ${changes.abn?.replaceAll(' ', '') ?? null} else abn end,
        contact_email = case when ${wanted.includes('contactEmail')} then ${changes.contactEmail ?? null} else contact_email end
      where id = ${id}`;
    await note(tx, deps, id, 'club edited', { fields: wanted.join(' ') });
    return id;
  });
}

/** Ends a club's gifts from a day on, today's included; what was given is paid. Null takes it back. */
export async function retireClub(
  deps: Deps,
  idOrSlug: string,
  from: IsoDate | null = today(deps.clock),
): Promise<string> {
  if (from !== null && from < today(deps.clock)) throw new Conflict(`${from} is past.`);
  return change(deps, async (tx) => {
    const { id } = await lockClub(tx, idOrSlug);
    await tx`update clubs set ends_on = ${from} where id = ${id}`;
    await note(tx, deps, id, from === null ? 'club taken back' : 'club retired', { from });
    return id;
  });
}
