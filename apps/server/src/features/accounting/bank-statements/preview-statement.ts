import {
  type Cents,
  formatCents,
  gapInWords,
  type IsoDate,
  maskAccountNumber,
  nameOfAccount,
} from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import { counted } from '@sparechange/domain/counted';
import { quoted } from '#errors.ts';
import { today } from '#ports/clock.ts';
import { withOurStatement } from './account-in-file.ts';
import { type Given, type ImportDeps, mappingsFor } from './import-statement.ts';
import { ColumnQuestion } from './mapped-columns.ts';
import type { StatementFacts } from './open-statement.ts';
import type { LinesPreview, PreviewedLine } from './preview-lines.ts';
import { previewMatches } from './preview-matches.ts';
import { readKnown } from './read-known.ts';
import { AccountQuestion } from './several-statements.ts';
import type { ImportQuestion, StatementFormat } from './statement-file.ts';

export interface PreviewedStatement {
  format: StatementFormat;
  /** The bank that exports such a file, if it tells. */
  bank: string | null;
  /** True if the columns are read as a person chose. */
  isMapped: boolean;
  account: string;
  isNewAccount: boolean;
  /** Lines in the file. */
  lines: number;
  firstDay: IsoDate | null;
  lastDay: IsoDate | null;
  openingCents: Cents | null;
  closingCents: Cents | null;
  /** Lines that an import would book, the one of an opening balance included. */
  added: number;
  known: number;
  doubtful: number;
  /** Lines of those added that something explains straight away. */
  matching: number;
  /** Sentences about what is unusual. */
  odd: string[];
  question: Pick<ImportQuestion, 'question' | 'message' | 'askedCents'> | null;
  first: (Omit<PreviewedLine, 'lineId'> & { matches: boolean })[];
}

function oddities(
  { missing, firstMissing, gapCents, openingLineCents }: LinesPreview,
  facts: StatementFacts,
): string[] {
  const named = firstMissing.map(
    ({ bookedOn, cents, description }) => `${formatCents(cents)} of ${bookedOn}, ${quoted(description)}`,
  );
  const rest = missing > named.length ? ` and ${counted(missing - named.length, 'more')}` : '';
  return [
    ...(facts.count === 0 ? ['The file has no lines.'] : []),
    ...(missing > 0
      ? [
          `${counted(missing, 'known line')} of these days ${missing === 1 ? 'is' : 'are'} not in the file: ${named.join('; ')}${rest}.`,
        ]
      : []),
    ...(gapCents === 0 ? [] : [gapInWords(gapCents)]),
    ...(openingLineCents === null
      ? []
      : [
          `The opening balance of ${formatCents(openingLineCents)} becomes a line of its own, as this is the account’s first statement.`,
        ]),
  ];
}

/**
 * Reads a statement and says what an import would do; books and stores nothing. Throws StatementProblem for a file that
 * cannot be imported at all.
 */
export async function previewStatement(
  { db, clock, encryption }: ImportDeps,
  content: Uint8Array | string,
  given: Given = {},
  { isPacked = false }: { isPacked?: boolean } = {},
): Promise<PreviewedStatement> {
  const lastBookingDay = nextBankingDay(today(clock));
  const mappings = await mappingsFor(db, given);
  return withOurStatement(
    { db, encryption },
    { content, isPacked, lastBookingDay, mappings },
    given,
    async (statement) => {
      const { facts } = statement;
      const { account, isNewAccount, preview } = await db.begin(async (tx) => {
        const { history, ...known } = await readKnown(tx, encryption, statement, given);
        return { ...known, preview: await statement.preview({ history, given }) };
      }, 'read only');
      const matching = await previewMatches(db, account, () => statement.nextLines());
      const { added, known, doubtful, openingCents, closingCents, question, first } = preview;
      return {
        format: facts.format,
        bank: facts.bank ?? null,
        isMapped: facts.mapped !== undefined,
        account: nameOfAccount(account),
        isNewAccount,
        lines: facts.count,
        firstDay: facts.firstDay ?? null,
        lastDay: facts.lastDay ?? null,
        openingCents,
        closingCents,
        added,
        known,
        doubtful,
        matching: matching.size,
        odd: oddities(preview, facts),
        question: question ?? null,
        first: first.map(({ lineId, ...line }) => ({ ...line, matches: lineId !== undefined && matching.has(lineId) })),
      };
    },
  );
}

const maskOf = (number: string): string =>
  number ? maskAccountNumber(number.replace(/\D/g, '') || number) : 'No number';

/** Previews a file, or returns the part of it about which a person has to say more. */
export const previewOrAsk = (...previewed: Parameters<typeof previewStatement>) =>
  previewStatement(...previewed).catch((error: unknown) => {
    if (error instanceof ColumnQuestion) return { problem: error.message, unknown: error.unknown };
    if (!(error instanceof AccountQuestion)) throw error;
    const accounts = error.accounts.map(({ number, lines, firstDay = null, lastDay = null }) => ({
      account: maskOf(number),
      lines,
      firstDay,
      lastDay,
    }));
    return { problem: error.message, accounts };
  });
