import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { IsoDate } from '@sparechange/domain';
import { type AccountHistory, type DecidedImport, decideImport, type NewLine } from './decide-import.ts';
import type { GivenAnswers } from './decide-lines.ts';
import type { KnownLine } from './known-lines.ts';
import { identifyLines } from './line-identity.ts';
import { type Choices, type ParsedStatement, parseStatement } from './parse-statement.ts';
import { type LinesPreview, previewLines } from './preview-lines.ts';
import { type DaysOfFile, daysOf } from './statement-balance.ts';
import { StatementProblem } from './statement-file.ts';

/** A file as it was sent. */
export interface SentFile extends Choices {
  content: Uint8Array | string;
  /** True for gzip. */
  isPacked: boolean;
  /** Day after which no bank dates a movement. */
  lastBookingDay: IsoDate;
}

/** A statement without its lines, which stay in the process that reads it. */
export interface StatementFacts extends Omit<ParsedStatement, 'lines'>, DaysOfFile {
  count: number;
  fileHash: string;
}

/** Requests about the lines; pages of lines are JSON arrays, which only PostgreSQL and that process read. */
export type StatementRequest =
  | { wanted: 'ids' }
  | { wanted: 'keep known lines'; lines: string }
  | { wanted: 'decision'; history: AccountHistory; given: GivenAnswers }
  | { wanted: 'preview'; history: AccountHistory; given: GivenAnswers }
  | { wanted: 'new lines' }
  | { wanted: 'held ids' };

export type Decision = Omit<DecidedImport, 'toBook' | 'added' | 'held' | 'compared'> & { added: number };

/** The most that a packed file may unpack to. */
const maxUnpackedBytes = 256 * 1_048_576;

export const tooLarge =
  'The file takes too much time or memory to read, or breaks what reads it. Import fewer days at a time.';

function unpacked({ content, isPacked }: SentFile): Uint8Array | string {
  if (!isPacked || typeof content === 'string') return content;
  try {
    return gunzipSync(content, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StatementProblem(
      code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : 'The file has not arrived whole. Please send it again.',
    );
  }
}

const pageSize = 1_000;

/** Returns pages of JSON arrays, one a call; undefined after the last. */
function inPages(rows: readonly unknown[]): () => string | undefined {
  let start = 0;
  return () => {
    const page = rows.slice(start, start + pageSize);
    start += pageSize;
    return page.length > 0 ? JSON.stringify(page) : undefined;
  };
}

/** Reads a statement; returns its facts, and answers requests about its lines. */
export function openStatement(file: SentFile) {
  const content = unpacked(file);
  const fileHash = createHash('sha256').update(content).digest('hex');
  const parsed = parseStatement(content, file);
  const late = parsed.lines.find(({ bookedOn }) => bookedOn > file.lastBookingDay);
  if (late) throw new StatementProblem(`The line of ${late.bookedOn} is of a day to come.`);
  const statement = { ...parsed, lines: identifyLines(parsed.lines) };
  const { lines, ...rest } = statement;
  const nextIds = inPages(lines.map(({ id }) => id));
  const known: KnownLine[] = [];
  let [nextNew, nextHeld] = [inPages([]), inPages([])];
  // Those found by their ids, of other days, came after the rest.
  const inOrder = () =>
    known.toSorted((one, other) => (one.bookedOn < other.bookedOn ? -1 : Number(one.bookedOn > other.bookedOn)));
  const decide = (history: AccountHistory, given: GivenAnswers): Decision => {
    const { toBook, added, held, compared, ...decision } = decideImport(statement, inOrder(), history, given);
    nextNew = inPages(toBook satisfies NewLine[]);
    nextHeld = inPages(held.map(({ lineId }) => lineId));
    return { ...decision, added: toBook.length };
  };
  const preview = (history: AccountHistory, given: GivenAnswers): LinesPreview => {
    const { toBook, ...previewed } = previewLines(statement, inOrder(), history, given);
    nextNew = inPages(toBook);
    return previewed;
  };
  return {
    facts: { ...rest, ...daysOf(lines), count: lines.length, fileHash } satisfies StatementFacts,
    answer: (request: StatementRequest): string | Decision | LinesPreview | undefined => {
      if (request.wanted === 'ids') return nextIds();
      if (request.wanted === 'new lines') return nextNew();
      if (request.wanted === 'held ids') return nextHeld();
      if (request.wanted === 'decision') return decide(request.history, request.given);
      if (request.wanted === 'preview') return preview(request.history, request.given);
      known.push(...(JSON.parse(request.lines) as KnownLine[]));
      return undefined;
    },
  };
}
