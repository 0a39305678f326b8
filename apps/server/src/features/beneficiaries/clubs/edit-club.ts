import { randomUUID } from 'node:crypto';
import { ClubFacts } from '@sparechange/contract/club-facts';
import { type IsoDate, longDay } from '@sparechange/domain';
import type { z } from 'zod';
import { appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import { type Clock, today } from '#ports/clock.ts';
import { homesOf } from '#tenants/check-redirects.ts';
import type { CheckDrawings } from '#tenants/check-tenants.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { refuseChangedMeanwhile, type SeenFacts } from './changed-meanwhile.ts';
import { byColumn, saveColumns } from './club-columns.ts';
import { adviceFrequencyOfNew, keepFormer } from './club-repository.ts';
import { recordContactChange } from './contact-changes.ts';

interface Deps {
  db: Pool;
  clock: Clock;
  by: string;
  /** Needed if a club may be moved under another one. */
  tenants?: Pick<Tenants, 'redirects'> | undefined;
  /** Needed if a club may get a logo or picture. */
  checkDrawings?: CheckDrawings | undefined;
}

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new InvalidInput(parsed.error.issues.map(({ message }) => `${message}.`).join(' '));
  return parsed.data;
}

/**
 * Locks links and parents against other changes. It comes before any lock of a club: a cluster locks the whole table
 * for one.
 */
const lockLinks = (tx: Db) => tx`select pg_advisory_xact_lock(hashtext('sparechange.club links'))`;

/** Refuses a present or former link of another club, and a club that cannot be a parent. */
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
  const [parent] = await tx<{ isTop: boolean; isFree: boolean }[]>`
    select parent_id is null as "isTop", not exists (select from clubs where parent_id = ${id}) as "isFree"
    from clubs where id = ${parentId}`;
  if (!parent) throw new NotFound('The parent');
  if (parentId === id || !parent.isTop) throw new Conflict('A parent is another club, and has none itself.');
  if (!parent.isFree) throw new Conflict('A club that others are under has no parent.');
}

/**
 * Refuses a parent whose supporters are sent to another brand than those of the club: they would be redirected in a
 * loop.
 */
function refuseLoop({ tenants }: Deps, id: string, parentId: string | null | undefined): void {
  const homes = tenants && parentId ? homesOf(tenants.redirects(), { id, parentId }) : [];
  if (homes.length > 1)
    throw new Conflict(`The redirects would send its supporters round in a loop: ${homes.join(', ')}.`);
}

async function note(
  tx: Db,
  { clock, by }: Pick<Deps, 'clock' | 'by'>,
  clubId: string,
  action: string,
  more: Record<string, string | null>,
  formerParentId: string | null = null,
) {
  const at = clock.now();
  const details = { club: clubId, ...more, by };
  await appendOperatorsAct(tx, { at, action, details });
  await recordEvents(tx, [clubChanged(clubId, at, formerParentId)]);
}

/** Refuses a new logo or picture that cannot be drawn; called before anything is locked, as drawing takes time. */
async function refuseUndrawable(
  { db, checkDrawings }: Deps,
  { logo, picture }: Pick<z.output<ReturnType<typeof ClubFacts.partial>>, 'logo' | 'picture'>,
  idOrSlug?: string,
): Promise<void> {
  if (!checkDrawings || !(logo || picture)) return;
  const [held] = await db<{ logo: string | null; picture: string | null }[]>`
    select logo, picture from clubs where id::text = lower(${idOrSlug ?? ''}) or slug = lower(${idOrSlug ?? ''})`;
  const problems = await checkDrawings({
    logo: logo === held?.logo ? null : logo,
    picture: picture === held?.picture ? null : picture,
  });
  if (problems.length > 0) throw new InvalidInput(problems.join('\n'));
}

/** Saves the given facts of a club; the rest stays. */
async function saveFacts(
  tx: Db,
  { clock, by }: Pick<Deps, 'clock' | 'by'>,
  id: string,
  facts: z.output<ReturnType<typeof ClubFacts.partial>>,
): Promise<void> {
  if (facts.contactEmail !== undefined)
    await recordContactChange(tx, { clubId: id, contactEmail: facts.contactEmail, by, at: clock.now() });
  await refuseTaken(tx, id, { slug: facts.slug, parentId: facts.parentId ?? null });
  const [recipient] = await tx`select from clubs where id = ${id} and dgr_since is not null`;
  if (recipient && facts.abn === null) throw new Conflict('A deductible gift recipient has an ABN.');
  await keepFormer(tx, id, { ...facts, at: clock.now() });
  await tx`update clubs set former_contact_email = coalesce(former_contact_email, contact_email) where id = ${id}`;
  await saveColumns(tx, id, byColumn(facts));
}

/** Adds a club, without bank details yet, in a transaction. */
export async function insertClub(tx: Db, deps: Pick<Deps, 'clock' | 'by'>, given: ClubFacts): Promise<string> {
  const facts = parse(ClubFacts, given);
  const { name, slug, contactEmail = null } = facts;
  const id = randomUUID();
  await lockLinks(tx);
  await refuseTaken(tx, id, { slug, parentId: null });
  await tx`insert into clubs (id, slug, name, contact_email, advice_frequency)
    values (${id}, ${slug}, ${name}, ${contactEmail}, ${adviceFrequencyOfNew}::advice_frequency)`; // no change of contact
  await saveFacts(tx, deps, id, facts);
  await note(tx, deps, id, 'club added', { slug });
  return id;
}

/** Adds a club, without bank details yet; returns its id. */
export async function addClub(deps: Deps, given: ClubFacts): Promise<string> {
  await refuseUndrawable(deps, parse(ClubFacts, given));
  return deps.db.begin((tx) => insertClub(tx, deps, given));
}

/** Finds a club by its id or link and locks it against other changes. */
async function lockClub(tx: Db, idOrSlug: string) {
  const [club] = await tx<{ id: string; parentId: string | null }[]>`
    select id, parent_id as "parentId" from clubs where id::text = lower(${idOrSlug}) or slug = lower(${idOrSlug}) for no key update`;
  if (!club) throw new NotFound('The club');
  return club;
}

/**
 * Changes the given facts; its former link leads on to it. Returns the club's id. Throws ChangedMeanwhile if a fact has
 * changed since it was seen.
 */
export async function editClub(
  deps: Deps,
  idOrSlug: string,
  given: { [Fact in keyof ClubFacts]?: ClubFacts[Fact] | undefined },
  seen: SeenFacts = {},
): Promise<string> {
  const changes = parse(ClubFacts.partial(), given);
  await refuseUndrawable(deps, changes, idOrSlug);
  return deps.db.begin(async (tx) => {
    await lockLinks(tx);
    const { id, parentId } = await lockClub(tx, idOrSlug);
    await refuseChangedMeanwhile(tx, id, seen, changes);
    if (changes.parentId !== parentId) refuseLoop(deps, id, changes.parentId);
    await saveFacts(tx, deps, id, changes);
    await note(tx, deps, id, 'club edited', { fields: Object.keys(given).join(' ') }, parentId);
    return id;
  });
}

/** Ends a club's gifts from a Sydney day on, today or later; earlier gifts are paid. Throws Conflict for a past day. */
export async function retireClub(deps: Deps, idOrSlug: string, from: IsoDate = today(deps.clock)): Promise<string> {
  if (from < today(deps.clock)) throw new Conflict(`${longDay(from)} is past.`);
  return endOn(deps, idOrSlug, from, 'club retired');
}

/** Takes gifts for a retired club again. */
export const reinstateClub = (deps: Deps, idOrSlug: string): Promise<string> =>
  endOn(deps, idOrSlug, null, 'club taken back');

const endOn = (deps: Deps, idOrSlug: string, from: IsoDate | null, act: string): Promise<string> =>
  deps.db.begin(async (tx) => {
    const { id } = await lockClub(tx, idOrSlug);
    await tx`update clubs set ends_on = ${from} where id = ${id}`;
    await note(tx, deps, id, act, { from });
    return id;
  });
