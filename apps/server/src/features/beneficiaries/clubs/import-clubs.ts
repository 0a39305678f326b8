import { clubFacts, programFacts, shapeOf } from '@sparechange/contract/club-facts';
import { z } from 'zod';
import { appendOperatorsAct } from '#audit/audit-log.ts';
import { type CsvRow, readCsv } from '#csv.ts';
import type { Db, Pool } from '#db/connect.ts';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { CheckDrawings } from '#tenants/check-tenants.ts';
import { byColumn, columnsOf, saveColumns } from './club-columns.ts';
import { adviceFrequencyOfNew, keepFormer } from './club-repository.ts';
import { recordContactChange } from './contact-changes.ts';
import { accountNumberCell, bsbCell, dayCell, digitsCell } from './spreadsheet-cells.ts';

const optional = z.string().transform((text) => (text === '' ? null : text));

const Line = z.object({
  id: z.uuid().toLowerCase(),
  ...shapeOf(clubFacts, 'typed'),
  abn: digitsCell.pipe(clubFacts.abn.typed.unwrap()),
  bsb: optional.pipe(bsbCell.nullable()),
  accountNumber: optional.pipe(accountNumberCell.nullable()),
  accountName: optional,
  dgrSince: optional.pipe(dayCell.nullable()).optional(),
});

/** The name of each value of a line by its heading. */
const names = new Map([
  ['id', 'id'],
  ['bsb', 'bsb'],
  ['account_number', 'accountNumber'],
  ['account_name', 'accountName'],
  ['dgr_since', 'dgrSince'],
  ...Object.entries(clubFacts).map(([fact, { column }]) => [column, fact] as const),
]);
const neededColumns = ['id', 'slug', 'name', 'parent_id', 'abn', 'bsb', 'account_number', 'account_name'];
const optionalColumns = [...names.keys()].filter((column) => !neededColumns.includes(column));

/** A club of a file; what is undefined is not in the file, and stays. */
type Club = z.output<typeof Line> & { line: number };

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

/** A cell may have several lines; a fact is one. */
const asOneLine = (cell: string): string =>
  cell
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** Returns the problems of one line, or its club. */
function parseLine(columns: string[], { cells, line }: CsvRow): Club | string[] {
  if (cells.length !== columns.length) return [`line ${line}: ${cells.length} values, not ${columns.length}`];
  const values = columns.map((column, at) => [names.get(column), asOneLine(cells[at] ?? '')]);
  const { data, error } = Line.safeParse(Object.fromEntries(values));
  if (error)
    return error.issues.map(({ path: [name], message }) => {
      const column = columns.find((each) => names.get(each) === name);
      return `line ${line}: ${column}: ${message}`;
    });
  if (data.dgrSince && !data.abn) return [`line ${line}: dgr_since: a deductible gift recipient has an ABN`];
  return { ...data, line };
}

function parseFile(text: string): Club[] {
  const [head, ...rows] = readCsv(text);
  const columns = readHeader(head?.cells ?? []);
  const parsed = rows.map((row) => parseLine(columns, row));
  const clubs = parsed.flatMap((club) => (Array.isArray(club) ? [] : [club]));
  const problems = parsed.flatMap((club) => (Array.isArray(club) ? club : []));
  refuse([...problems, ...repeated(clubs, 'id'), ...repeated(clubs, 'slug')]);
  return clubs;
}

function repeated(clubs: Club[], column: 'id' | 'slug'): string[] {
  const first = new Map(clubs.toReversed().map((club) => [club[column], club.line]));
  return clubs
    .filter((club) => first.get(club[column]) !== club.line)
    .map((club) => `line ${club.line}: ${column}: ${club[column]} is in line ${first.get(club[column])} already`);
}

/** Returns conflicts between a file and the known clubs, their former slugs included, as posters lead to those. */
async function misfits(db: Db, clubs: Club[]): Promise<string[]> {
  const known = await db<{ id: string; slug: string; parentId: string | null; isRecipient: boolean }[]>`
    select id, slug, parent_id as "parentId", dgr_since is not null as "isRecipient" from clubs`;
  const former = await db<{ id: string; slug: string }[]>`select club_id as id, slug from club_slugs`;
  const owners = new Map([...former, ...known].map(({ id, slug }) => [slug, id])); // a present one goes before
  const parents = new Map([...known, ...clubs].map((club) => [club.id, club.parentId ?? null]));
  const haveChildren = new Set(parents.values());
  const recipients = new Set(known.flatMap(({ id, isRecipient }) => (isRecipient ? id : [])));
  return clubs.flatMap((club) => {
    const { id, slug, line, parentId = null, abn, dgrSince } = club;
    const isDeep = parentId !== null && (Boolean(parents.get(parentId)) || haveChildren.has(id));
    return [
      ...((owners.get(slug) ?? id) === id ? [] : [`line ${line}: slug: ${slug} leads to another club, or did`]),
      ...(parentId && !parents.has(parentId) ? [`line ${line}: parent_id: there is no club ${parentId}`] : []),
      ...(isDeep ? [`line ${line}: parent_id: a parent has none itself`] : []),
      ...(abn === null && dgrSince === undefined && recipients.has(id)
        ? [`line ${line}: abn: a deductible gift recipient has an ABN`]
        : []),
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
    held?.name === club.accountName &&
    decrypted('bsb') === club.bsb &&
    decrypted('accountNumber') === club.accountNumber;
  if (held && isUnchanged) return { ...held, isReplaced: false };
  return {
    isReplaced: held !== undefined,
    bsb: club.bsb === null ? null : encryption.encrypt(club.bsb, contexts.bsb),
    accountNumber: club.accountNumber === null ? null : encryption.encrypt(club.accountNumber, contexts.accountNumber),
  };
}

/** Locks the known clubs of a file: otherwise older data would overwrite a change that takes effect in between. */
const lockKnown = (tx: Db, clubs: Club[]) => tx`
  select from clubs where id = any(${clubs.map(({ id }) => id)}::uuid[]) order by id for no key update`;

/** Returns the facts of clubs that programs may see, to compare, and the parent of each. */
async function visibleParts(tx: Db, clubs: Club[]) {
  const rows = await tx<{ id: string; parts: string; parentId: string | null }[]>`
    select id, parent_id as "parentId", row(${tx(columnsOf(programFacts))})::text as parts
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
  const clubs = parseFile(text);
  for (const club of clubs) refuse((await checkDrawings(club)).map((problem) => `line ${club.line}: ${problem}`)); // which takes time: nothing is locked
  await pool.begin(async (tx) => {
    await lockKnown(tx, clubs);
    refuse(await misfits(tx, clubs));
    const before = await visibleParts(tx, clubs);
    for (const club of clubs) {
      const account = await encryptDetails(tx, encryption, club);
      if (account.isReplaced && keepsBankDetails)
        refuse([`line ${club.line}: bsb: bank details of a known club are changed with ops clubs bank-details`]);
      const note = (action: string, more = {}) =>
        appendOperatorsAct(tx, { at, action, details: { club: club.id, ...more, by } });
      if (account.isReplaced) await note('bank details of a club changed');
      const { contactEmail } = club;
      if (contactEmail !== undefined && (await recordContactChange(tx, { clubId: club.id, contactEmail, by, at })))
        await note('club edited', { fields: 'contactEmail' });
      await keepFormer(tx, club.id, { slug: club.slug, contactEmail, at });
      await saveClub(tx, club, account);
    }
    for (const { id, parentId = null } of clubs) await tx`update clubs set parent_id = ${parentId} where id = ${id}`;
    const changed = [...(await visibleParts(tx, clubs))].filter(([id, { parts }]) => before.get(id)?.parts !== parts);
    await recordEvents(
      tx,
      changed.map(([id]) => clubChanged(id, at, before.get(id)?.parentId)),
    );
  });
  return clubs.length;
}

/** Adds a club or updates a known one, apart from its parent, which the file may add later. */
async function saveClub(tx: Db, { parentId: _parentId, ...club }: Club, { bsb, accountNumber }: SavedDetails) {
  await tx`
    insert into clubs (id, slug, name, account_name, bsb_encrypted, account_number_encrypted, advice_frequency)
    values (${club.id}, ${club.slug}, ${club.name}, ${club.accountName}, ${bsb}, ${accountNumber},
      ${adviceFrequencyOfNew}::advice_frequency)
    on conflict (id) do update set account_name = excluded.account_name, bsb_encrypted = excluded.bsb_encrypted,
      account_number_encrypted = excluded.account_number_encrypted`;
  await saveColumns(tx, club.id, {
    ...byColumn(club),
    ...(club.dgrSince === undefined ? {} : { dgr_since: club.dgrSince }),
  });
}
