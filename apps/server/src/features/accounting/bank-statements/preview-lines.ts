import { type Cents, type IsoDate, noCents } from '@sparechange/domain';
import {
  type AccountHistory,
  type DecidedImport,
  decideImport,
  type IdentifiedStatement,
  type NewLine,
} from './decide-import.ts';
import type { GivenAnswers } from './decide-lines.ts';
import type { KnownLine } from './known-lines.ts';
import { ImportQuestion } from './statement-file.ts';

export type StateOfLine = 'new' | 'known' | 'in_doubt';

export interface PreviewedLine {
  /** Id to store it under, of a new one. */
  lineId: string | undefined;
  bookedOn: IsoDate;
  cents: Cents;
  description: string;
  state: StateOfLine;
}

/** Effects that an import would have, as far as the file and the lines known say. */
export interface LinesPreview {
  /** Lines to book, the one of an opening balance included. */
  added: number;
  known: number;
  /** Lines in doubt, until a person has answered. */
  doubtful: number;
  /** The opening balance, if a line stands for it. */
  openingLineCents: Cents | null;
  gapCents: Cents;
  openingCents: Cents | null;
  closingCents: Cents | null;
  /** Known lines of the file's days that the file does not have. */
  missing: number;
  firstMissing: Pick<KnownLine, 'bookedOn' | 'cents' | 'description'>[];
  first: PreviewedLine[];
  /** Question that is open. */
  question: Pick<ImportQuestion, 'question' | 'message' | 'askedCents'> | undefined;
}

const maxMissingNamed = 3;
const maxFirst = 10;

/** Decides with the answers given; where one is missing, with the answer that books least. */
function decideAnyway(...[statement, known, history, given]: Parameters<typeof decideImport>): {
  decided: DecidedImport;
  question?: LinesPreview['question'];
} {
  try {
    return { decided: decideImport(statement, known, history, given) };
  } catch (error) {
    if (!(error instanceof ImportQuestion)) throw error;
    const { question, message, askedCents } = error;
    const assumed = question === 'changedLines' ? { changedLines: 'same' as const } : { acceptedCents: askedCents };
    // A difference shows only with an answer about the lines: it is asked about next.
    const { decided } = decideAnyway(statement, known, history, { ...given, ...assumed });
    return { decided, question: { question, message, askedCents } };
  }
}

/** Previews an import, and lists the lines to book. Throws StatementProblem if the lines cannot all be right. */
export function previewLines(
  statement: IdentifiedStatement,
  known: readonly KnownLine[],
  history: AccountHistory,
  given: GivenAnswers,
): LinesPreview & { toBook: NewLine[] } {
  const { decided, question } = decideAnyway(statement, known, history, given);
  const { compared, added, toBook, gap } = decided;
  const opening = toBook.length - added.length;
  const ids = new Map(added.map((line, place) => [line, toBook[opening + place]?.lineId]));
  const doubtful = new Set(
    question?.question === 'changedLines' ? compared.uncertain.map(({ line }) => line) : undefined,
  );
  const stateOf = (line: (typeof statement.lines)[number]): StateOfLine => {
    if (doubtful.has(line)) return 'in_doubt';
    return ids.has(line) ? 'new' : 'known';
  };
  const inShort = ({ bookedOn, cents, description }: Omit<KnownLine, 'lineId'>) => ({ bookedOn, cents, description });
  return {
    added: toBook.length,
    known: statement.lines.length - added.length - doubtful.size,
    doubtful: doubtful.size,
    openingLineCents: opening > 0 ? (toBook[0]?.cents ?? noCents) : null,
    gapCents: gap,
    openingCents: decided.openingCents,
    closingCents: decided.closingCents,
    missing: compared.missing.length,
    firstMissing: compared.missing.slice(0, maxMissingNamed).map(inShort),
    first: statement.lines
      .slice(0, maxFirst)
      .map((line) => ({ ...inShort(line), lineId: ids.get(line), state: stateOf(line) })),
    question,
    toBook,
  };
}
