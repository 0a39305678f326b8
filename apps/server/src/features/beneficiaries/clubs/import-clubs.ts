import { parseWholeDollars } from '@sparechange/domain';
import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { z } from 'zod';
import { appendOperatorsAct } from '#audit/audit-log.ts';
import { readCsv } from '#csv.ts';
import type { Db, Pool } from '#db/connect.ts';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { CheckDrawings } from '#tenants/check-tenants.ts';
import { adviceFrequencyOfNew, keepFormer } from './club-repository.ts';
import { recordContactChange } from './contact-changes.ts';
import { abnCell, accountNumberCell, bsbCell, dayCell } from './spreadsheet-cells.ts';

const optional = z.string().transform((text) => (text === '' ? null : text));

const Line = z.object({
  id: z.uuid().toLowerCase(),
  slug: z
    .string()
    .regex(/^[a-z0-9-]{2,80}$/)
    .refine((slug) => !isReservedSlug(slug), 'is an address of the product'),
  name: z.string().min(1).max(120),
  parent_id: z.union([z.literal('').transform(() => null), z.uuid().toLowerCase()]),
  abn: optional.pipe(abnCell.nullable()),
  bsb: optional.pipe(bsbCell.nullable()),
  account_number: optional.pipe(accountNumberCell.nullable()),
  account_name: optional,
  dgr_since: optional.pipe(dayCell.nullable()),
  contact_email: optional.pipe(z.email().max(254).nullable()),
  about: optional.pipe(z.string().max(600).nullable()),
  suburb: optional.pipe(z.string().max(60).nullable()),
  sport: optional.pipe(z.string().max(60).nullable()),
  goal_dollars: optional.pipe(
    z.string().transform(parseWholeDollars).pipe(z.number('is not a number of whole dollars')).nullable(),
  ),
  logo: optional.pipe(
    z
      .string()
      .regex(/^[\w-]+\.svg$/)
      .nullable(),
  ),
  picture: optional.pipe(
    z
      .string()
      .regex(/^[\w-]+\.(svg|webp|jpg|png)$/)
      .nullable(),
  ),
});

const columns = Object.keys(Line.shape);
const optionalColumns = ['dgr_since', 'contact_email', 'about', 'suburb', 'sport', 'goal_dollars', 'logo', 'picture'];
const neededColumns = columns.filter((column) => !optionalColumns.includes(column));

type Club = z.output<typeof Line> & { line: number };

interface ClubFile {
  clubs: Club[];
  /** Columns of the file; values of others stay unchanged. */
  given: string[];
}

/** Returns the columns of a file: the required ones, then any of the others. */
function readHeader(cells: string[]): string[] {
  const [needed, rest] = [cells.slice(0, neededColumns.length), cells.slice(neededColumns.length)];
  const isKnown = rest.every((column, at) => optionalColumns.includes(column) && rest.indexOf(column) === at);
  if (needed.join() !== neededColumns.join() || !isKnown)
    throw new Error(
      `The first line must be: ${neededColumns.join()}\nand may continue with any of: ${optionalColumns.join()}`,
    );
  return cells;
}

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new Error(`Nothing was imported:\n${problems.join('\n')}`);
}

function parseFile(text: string): ClubFile {
  const [head, ...rows] = readCsv(text);
  const given = readHeader(head?.cells ?? []);
  const problems: string[] = [];
  const clubs = rows.flatMap(({ cells: values, line }) => {
    const cells = Object.fromEntries(given.map((column, at) => [column, values[at] ?? '']));
    const parsed = Line.safeParse({ ...Object.fromEntries(columns.map((column) => [column, ''])), ...cells });
    if (values.length !== given.length) problems.push(`line ${line}: ${values.length} values, not ${given.length}`);
    else if (!parsed.success)
      problems.push(...parsed.error.issues.map((issue) => `line ${line}: ${issue.path.join('.')}: ${issue.message}`));
    else if (parsed.data.dgr_since && !parsed.data.abn)
      problems.push(`line ${line}: dgr_since: a deductible gift recipient has an ABN`);
    else return [{ ...parsed.data, line }];
    return [];
  });
  refuse([...problems, ...repeated(clubs, 'id'), ...repeated(clubs, 'slug')]);
  return { clubs, given };
}

function repeated(clubs: Club[], column: 'id' | 'slug'): string[] {
  const first = new Map(clubs.toReversed().map((club) => [club[column], club.line]));
  return clubs
    .filter((club) => first.get(club[column]) !== club.line)
    .map((club) => `line ${club.line}: ${column}: ${club[column]} is in line ${first.get(club[column])} already`);
}

/** Returns conflicts between a file and the known clubs, their former slugs included, as posters lead to those. */
async function misfits(db: Db, { clubs, given }: ClubFile): Promise<string[]> {
  const known = await db<{ id: string; slug: string; parent_id: string | null; isRecipient: boolean }[]>`
    select id, slug, parent_id, dgr_since is not null as "isRecipient" from clubs`;
  const former = await db<{ id: string; slug: string }[]>`select club_id as id, slug from club_slugs`;
  const owners = new Map([...former, ...known].map(({ id, slug }) => [slug, id])); // a present one goes before
  const parents = new Map([...known, ...clubs].map((club) => [club.id, club.parent_id]));
  const haveChildren = new Set(parents.values());
  const recipients = new Set(
    known.flatMap(({ id, isRecipient }) => (isRecipient && !given.includes('dgr_since') ? id : [])),
  );
  return clubs.flatMap((club) => {
    const { id, slug, line, parent_id: parentId, abn } = club;
    const isDeep = parentId !== null && (Boolean(parents.get(parentId)) || haveChildren.has(id));
    return [
      ...((owners.get(slug) ?? id) === id ? [] : [`line ${line}: slug: ${slug} leads to another club, or did`]),
      ...(parentId && !parents.has(parentId) ? [`line ${line}: parent_id: there is no club ${parentId}`] : []),
      ...(isDeep ? [`line ${line}: parent_id: a parent has none itself`] : []),
      ...(abn === null && recipients.has(id) ? [`line ${line}: abn: a deductible gift recipient has an ABN`] : []),
    ];
  });
}

interface EncryptedDetails {
  bsb: Uint8Array | null;
  accountNumber: Uint8Array | null;
}

interface SavedDetails extends EncryptedDetails {
  /** True if a known club had others. */
  isReplaced: boolean;
}

/**
 * Encrypts a club's bank details. Unchanged details keep their exact bytes, which determine whether a returned payment
 * may be tried again (failed-remittances.ts).
 */
async function encryptDetails(tx: Db, encryption: FieldEncryption, club: Club): Promise<SavedDetails> {
  const contexts = { bsb: `club ${club.id} bsb`, accountNumber: `club ${club.id} account number` };
  const [held] = await tx<(EncryptedDetails & { name: string | null })[]>`
    select account_name as name, bsb_encrypted as bsb, account_number_encrypted as "accountNumber" from clubs where id = ${club.id}`;
  const decrypted = (what: keyof EncryptedDetails) => held?.[what] && encryption.decrypt(held[what], contexts[what]);
  const isUnchanged =
    held?.name === club.account_name &&
    decrypted('bsb') === club.bsb &&
    decrypted('accountNumber') === club.account_number;
  if (held && isUnchanged) return { ...held, isReplaced: false };
  return {
    isReplaced: held !== undefined,
    bsb: club.bsb === null ? null : encryption.encrypt(club.bsb, contexts.bsb),
    accountNumber:
      club.account_number === null ? null : encryption.encrypt(club.account_number, contexts.accountNumber),
  };
}

/** Locks the known clubs of a file: otherwise older data would overwrite a change that takes effect in between. */
const lockKnown = (tx: Db, clubs: Club[]) => tx`
  select from clubs where id = any(${clubs.map(({ id }) => id)}::uuid[]) order by id for no key update`;

/** Returns the facts of clubs that programs may see, to compare, and the parent of each. */
async function visibleParts(tx: Db, clubs: Club[]) {
  const rows = await tx<{ id: string; parts: string; parentId: string | null }[]>`
    select id, parent_id as "parentId", row(slug, name, parent_id, abn, about, suburb, sport, goal_dollars)::text as parts
    from clubs where id = any(${clubs.map(({ id }) => id)}::uuid[])`;
  return new Map(rows.map(({ id, ...visible }) => [id, visible]));
}

interface ImportOptions {
  keepsBankDetails?: boolean;
  by?: string;
  checkDrawings?: CheckDrawings;
}

/**
 * Adds or renames clubs from a CSV, all or nothing; bad lines are named. Parents may come in any order. With
 * `keepsBankDetails` it may not change a known club's account.
 */
export async function importClubs(
  pool: Pool,
  encryption: FieldEncryption,
  text: string,
  at: Date,
  { keepsBankDetails = false, by = 'seed', checkDrawings = async () => [] }: ImportOptions = {},
): Promise<number> {
  const file = parseFile(text);
  const { clubs, given } = file;
  for (const club of clubs) refuse((await checkDrawings(club)).map((problem) => `line ${club.line}: ${problem}`)); // which takes time: nothing is locked
  await pool.begin(async (tx) => {
    await lockKnown(tx, clubs);
    refuse(await misfits(tx, file));
    const before = await visibleParts(tx, clubs);
    for (const club of clubs) {
      const { bsb, accountNumber, isReplaced } = await encryptDetails(tx, encryption, club);
      if (isReplaced && keepsBankDetails)
        refuse([`line ${club.line}: bsb: bank details of a known club are changed with ops clubs bank-details`]);
      const note = (action: string, more = {}) =>
        appendOperatorsAct(tx, { at, action, details: { club: club.id, ...more, by } });
      if (isReplaced) await note('bank details of a club changed');
      const contactEmail = given.includes('contact_email') ? club.contact_email : undefined;
      if (contactEmail !== undefined && (await recordContactChange(tx, { clubId: club.id, contactEmail, by, at })))
        await note('club edited', { fields: 'contactEmail' });
      await keepFormer(tx, club.id, { slug: club.slug, contactEmail, at });
      await tx`
        insert into clubs (id, slug, name, abn, dgr_since, account_name, bsb_encrypted, account_number_encrypted,
          advice_frequency)
        values (${club.id}, ${club.slug}, ${club.name}, ${club.abn}, ${club.dgr_since}, ${club.account_name}, ${bsb},
          ${accountNumber}, ${adviceFrequencyOfNew}::advice_frequency)
        on conflict (id) do update set slug = excluded.slug, name = excluded.name, abn = excluded.abn,
          dgr_since = case when 'dgr_since' = any(${given}) then excluded.dgr_since else clubs.dgr_since end,
          account_name = excluded.account_name, bsb_encrypted = excluded.bsb_encrypted,
          account_number_encrypted = excluded.account_number_encrypted`;
      await saveOptional(tx, club, given);
    }
    for (const club of clubs) await tx`update clubs set parent_id = ${club.parent_id} where id = ${club.id}`;
    const changed = [...(await visibleParts(tx, clubs))].filter(([id, { parts }]) => before.get(id)?.parts !== parts);
    await recordEvents(
      tx,
      changed.map(([id]) => clubChanged(id, at, before.get(id)?.parentId)),
    );
  });
  return clubs.length;
}

function saveOptional(tx: Db, club: Club, given: string[]) {
  return tx`
    update clubs set
      contact_email = case when 'contact_email' = any(${given}) then ${club.contact_email} else contact_email end,
      about = case when 'about' = any(${given}) then ${club.about} else about end,
      suburb = case when 'suburb' = any(${given}) then ${club.suburb} else suburb end,
      sport = case when 'sport' = any(${given}) then ${club.sport} else sport end,
      goal_dollars = case when 'goal_dollars' = any(${given}) then ${club.goal_dollars}::integer else goal_dollars end,
      logo = case when 'logo' = any(${given}) then ${club.logo} else logo end,
      picture = case when 'picture' = any(${given}) then ${club.picture} else picture end
    where id = ${club.id}`;
}
