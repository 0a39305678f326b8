import { accountNames, scopesInWords } from '@sparechange/contract/console';
import { type Cents, formatCents, longDay, printableLine, sydneyDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { z } from 'zod';
import type { Db, Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { isOnNodes } from '#db/silent-nodes.ts';
import { findLine } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { findChange, findChangedAccount } from '#features/beneficiaries/bank-details/change-repository.ts';
import { findClubRecord } from '#features/beneficiaries/clubs/club-record.ts';
import { namedClubs } from '#features/beneficiaries/clubs/club-repository.ts';
import { findOperator } from '#features/console/operators/operator-repository.ts';
import type { ActName } from '#features/core/approvals/act-names.ts';
import type { Approval } from '#features/core/approvals/approval-repository.ts';
import type { ActLine } from '#features/core/approvals/approved-acts.ts';
import { findKey } from '#features/disbursements/programs/key-repository.ts';
import { findSupporter } from '#features/supporters/profiles/supporter-repository.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { type ActArguments, actArguments } from './act-arguments.ts';

interface DescribeActDeps {
  db: Pool;
  tenants: Tenants;
  encryption: FieldEncryption;
  /** If false, names and email addresses of supporters are masked. */
  maySeeSupporters: boolean;
  /** A page names a club by its link, for people; a command by the id that others take. */
  isOnPage?: boolean;
  /** Nodes that are known not to answer, and so are not asked. */
  silentServers?: string[] | undefined;
}

/** Words about a club, which a page links to it. */
interface ClubWords {
  text: string;
  clubId: string;
}

type Words = Record<string, string | ClubWords | undefined>;

const spaced = (code: string) => code.replaceAll('_', ' ');
const listed = (codes: readonly string[]) => codes.map(spaced).join(', ');
const accountName = (code: string) => accountNames[code] ?? spaced(code);
const days = (count: number) => counted(count, 'day');

async function clubWords({ db, isOnPage }: DescribeActDeps, id: string | undefined): Promise<ClubWords | undefined> {
  if (id === undefined) return undefined;
  const club = (await namedClubs(db, [id])).get(id.toLowerCase());
  const place = isOnPage && club ? `/${club.slug}` : id;
  return { text: `${club?.name ?? 'not known'} (${place})`, clubId: id };
}

const masked = (text: string) => `${text.slice(0, 1)}…`;

/** Reads words about a supporter; where their server does not answer, the words say so. */
async function wordsAbout(
  { db, silentServers = [] }: DescribeActDeps,
  supporterId: string,
  read: (bucket: Db) => Promise<string>,
): Promise<string> {
  const notRead = 'not read: the database server of this supporter does not answer';
  const bucket = db.of(supporterId);
  if (silentServers.length > 0 && isOnNodes(db, bucket, silentServers)) return notRead;
  try {
    return await read(bucket);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return notRead;
    throw error;
  }
}

async function supporterWords(bucket: Db, id: string, maySeeSupporters: boolean) {
  const supporter = await findSupporter(bucket, id);
  if (!supporter) return 'not known';
  const { firstName, lastName, email } = supporter;
  if (maySeeSupporters) return `${firstName} ${lastName}, ${email}`;
  return `${masked(firstName)} ${masked(lastName)}, ${masked(email)}${email.slice(email.indexOf('@'))}`;
}

async function debitWords(bucket: Db, supporterId: string, id: string) {
  const [debit] = await bucket<{ reference: string; kind: string; amount: Cents; plannedAt: Date }[]>`
    select reference, kind, amount_cents as amount, planned_at as "plannedAt" from debits
    where supporter_id = ${supporterId} and id = ${id}`;
  if (!debit) return 'not known';
  return `${debit.kind} ${debit.reference} of ${formatCents(debit.amount)}, ${longDay(sydneyDay(debit.plannedAt))}`;
}

/** Describes the arguments of each act by label: the second person approves what is shown, so everything with an effect is. */
const words: { [Name in ActName]: (looking: DescribeActDeps, args: ActArguments<Name>) => Promise<Words> } = {
  debit_run: async (_looking, { date, force, confirmed, isAfterRestore }) => ({
    'Run of': longDay(date),
    Confirmed:
      confirmed === null ? undefined : `${formatCents(confirmed)} and up to a tenth more, although it is unusual`,
    Forced: force ? 'yes: on any day, and debiting that is suspended is resumed' : undefined,
    'After a restore': isAfterRestore ? 'yes: the provider is asked for each debit first' : undefined,
  }),
  tenant_resume: async ({ tenants }, { tenant, since, because }) => ({
    Tenant: `${tenants.byKey(tenant)?.name ?? tenant} (${tenant})`,
    'Suspended since': longDay(sydneyDay(since)),
    Because: because,
  }),
  refund: async (looking, { supporterId, debitId, amount, reason }) => ({
    Amount: amount === undefined ? 'all that is left' : formatCents(amount),
    Of: await wordsAbout(looking, supporterId, (bucket) => debitWords(bucket, supporterId, debitId)),
    Supporter: await wordsAbout(looking, supporterId, (bucket) =>
      supporterWords(bucket, supporterId, looking.maySeeSupporters),
    ),
    Reason: reason,
  }),
  write_off: async (looking, { id, amount, reason, clubId }) => ({
    Amount: formatCents(amount),
    'Owed by': await clubWords(looking, clubId),
    Reason: reason,
    'Booked as': id,
  }),
  ledger_correction: async (looking, { id, debit, credit, amount, reason, clubId }) => ({
    Amount: formatCents(amount),
    'Debit of': accountName(debit),
    'Credit of': accountName(credit),
    Club: await clubWords(looking, clubId),
    Reason: reason,
    'Booked as': id,
  }),
  statement_line_match: async ({ db }, { account, lineId, to, reason }) => {
    const line = await findLine(db, account, lineId);
    return {
      Amount: line ? formatCents(line.cents) : 'not known',
      Line: line && `${longDay(line.bookedOn)}: ${line.description}`,
      'Bank account': account,
      'Booked to': accountName(to),
      Reason: reason,
    };
  },
  api_key: async (looking, { name, scopes, clubId, days: valid }) => ({
    Name: name,
    May: scopesInWords(scopes),
    For: (await clubWords(looking, clubId)) ?? 'all clubs',
    'Valid for': days(valid),
  }),
  api_key_rotation: async (looking, { id, days: valid, overlapHours }) => {
    const key = await findKey(looking.db, id);
    return {
      Key: key ? `${key.name} (${id})` : `not known (${id})`,
      May: key && scopesInWords(key.scopes),
      For: key && ((await clubWords(looking, key.clubId ?? undefined)) ?? 'all clubs'),
      'Valid for': days(valid),
      'The old secret': `valid for ${counted(overlapHours, 'hour')} more`,
    };
  },
  club_bank_details: async (looking, { changeId }) => {
    const change = await findChange(looking.db, changeId);
    if (!change) return { Club: 'not known' };
    const { clubId, accountName, endsIn, contactEmail, confirmedAt, cancelledAt } = change;
    const club = await findClubRecord(looking.db, looking.encryption, clubId);
    return {
      Club: await clubWords(looking, clubId),
      'New account':
        (await findChangedAccount(looking.db, looking.encryption, changeId)) ??
        [`…${endsIn}`, accountName].filter(Boolean).join(' '),
      'Paid now into': club?.account ?? 'no account',
      'Contact asked': contactEmail ?? 'none',
      Confirmation: cancelledAt ? 'the change was stopped' : confirmedAt ? 'given, or not needed' : 'not given yet',
    };
  },
  console_roles: async ({ db }, { personId, roles, clubIds }) => {
    const person = await findOperator(db, personId);
    const clubs = await namedClubs(db, clubIds);
    return {
      Person: person?.name ?? 'not known',
      'E-mail address': person?.email,
      Roles: listed(roles),
      'Roles until then': person && (listed(person.roles) || 'none'),
      Clubs: clubIds.map((id) => clubs.get(id)?.name ?? id).join(', ') || undefined,
    };
  },
  one_person: async () => ({ 'From then on': 'one person is enough for every act' }),
};

async function wordsOf<Name extends ActName>(looking: DescribeActDeps, act: Name, recorded: unknown): Promise<Words> {
  const schema: z.ZodType | undefined = actArguments[act]; // none for an act of a newer version
  const parsed = schema?.safeParse(recorded);
  if (!parsed?.success) return { 'Asked for with': JSON.stringify(recorded) };
  return words[act](looking, parsed.data as ActArguments<Name>);
}

function lineOf(label: string, value: string | ClubWords): ActLine {
  if (typeof value === 'string') return { label, value: printableLine(value) };
  return { label, value: printableLine(value.text), clubId: value.clubId };
}

/** Returns labelled lines of what an act is carried out with, each of printable characters; bank data is masked. */
export async function describeAct(
  looking: DescribeActDeps,
  { act, arguments: recorded }: Pick<Approval, 'act' | 'arguments'>,
): Promise<ActLine[]> {
  const found = await wordsOf(looking, act as ActName, recorded);
  return Object.entries(found).flatMap(([label, value]) => (value === undefined ? [] : [lineOf(label, value)]));
}
