import type { UnknownColumns } from '@sparechange/contract/console';
import { ownProcess, ProcessEnded, type WorkLimits } from '#documents/own-process.ts';
import { ColumnQuestion } from './mapped-columns.ts';
import {
  type Decision,
  type SentFile,
  type StatementFacts,
  type StatementRequest,
  tooLarge,
} from './open-statement.ts';
import type { LinesPreview } from './preview-lines.ts';
import { type AccountInFile, AccountQuestion } from './several-statements.ts';
import { StatementProblem } from './statement-file.ts';

/** The end of a conversation about a statement: a refusal, if it has fields or a problem. */
export interface ReadAnswer {
  problem?: string;
  fields?: Record<string, string> | undefined;
  /** The beginning of a file whose columns nobody knows. */
  unknown?: UnknownColumns;
  /** The accounts of a file that has several. */
  accounts?: readonly AccountInFile[];
}

type Question = Pick<Extract<StatementRequest, { wanted: 'decision' }>, 'history' | 'given'>;

/** A statement in the process that reads it. */
export interface OpenedStatement {
  facts: StatementFacts;
  /** Returns the next page of the lines' ids. */
  nextIds(): Promise<string | undefined>;
  keepKnown(lines: string): Promise<void>;
  decide(question: Question): Promise<Decision>;
  /** Decides as far as the rules and the answers given reach; its lines to book are the next lines. */
  preview(question: Question): Promise<LinesPreview>;
  /** Returns the next page of the lines to book. */
  nextLines(): Promise<string | undefined>;
  /** Returns the next page of the ids of known lines that the file has. */
  nextHeld(): Promise<string | undefined>;
}

const reading = ownProcess(new URL('./statements-program.ts', import.meta.url), {
  cpuMs: 60_000,
  wallMs: 240_000, // a busy machine may leave it little of its processors
  memoryMb: 768,
  maxWaiting: 10,
  givesWay: true,
});

/**
 * Reads a statement in a separate process, as its bytes come from outside and may take long, and does work with it
 * there. Its lines stay in that process; only pages of text come here. Throws StatementProblem, also if that process
 * had to be ended.
 */
export async function withStatement<Result>(
  file: SentFile,
  work: (statement: OpenedStatement) => Promise<Result>,
  limits: Partial<WorkLimits> = {},
): Promise<Result> {
  let heard = Promise.withResolvers<unknown>();
  let asked = Promise.withResolvers<StatementRequest | undefined>();
  const takePart = (part: unknown) => {
    heard.resolve(part);
    return asked.promise;
  };
  const ended = reading.run('readStatement', file, limits, takePart).then(refuseProblem, refuseEnded);
  ended.catch(() => {}); // the next question is answered with it
  const nextPart = async (): Promise<unknown> => Promise.race([heard.promise, ended]);
  const ask = (request: StatementRequest): Promise<unknown> => {
    heard = Promise.withResolvers();
    const { resolve } = asked;
    asked = Promise.withResolvers();
    resolve(request);
    return nextPart();
  };
  try {
    const facts = (await nextPart()) as StatementFacts;
    return await work({
      facts,
      nextIds: async () => (await ask({ wanted: 'ids' })) as string | undefined,
      keepKnown: async (lines) => void (await ask({ wanted: 'keep known lines', lines })),
      decide: async (question) => (await ask({ wanted: 'decision', ...question })) as Decision,
      preview: async (question) => (await ask({ wanted: 'preview', ...question })) as LinesPreview,
      nextLines: async () => (await ask({ wanted: 'new lines' })) as string | undefined,
      nextHeld: async () => (await ask({ wanted: 'held ids' })) as string | undefined,
    });
  } finally {
    asked.resolve(undefined);
  }
}

function refuseProblem(answer: unknown): void {
  const { problem, fields, unknown, accounts } = answer as ReadAnswer;
  if (accounts) throw new AccountQuestion(accounts);
  if (problem !== undefined && unknown) throw new ColumnQuestion(problem, unknown);
  if (problem !== undefined) throw new StatementProblem(problem, fields);
}

function refuseEnded(error: unknown): never {
  throw error instanceof ProcessEnded ? Object.assign(new StatementProblem(tooLarge), { cause: error }) : error;
}
