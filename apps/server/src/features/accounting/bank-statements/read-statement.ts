import { ownProcess, ProcessEnded, type WorkLimits } from '#documents/own-process.ts';
import type { IdentifiedLine } from './line-identity.ts';
import { type StatementFile, StatementProblem } from './statement-file.ts';

export interface IdentifiedStatement extends StatementFile {
  lines: IdentifiedLine[];
}

/** A statement without its lines, which precede it in parts. */
export type ReadAnswer = { statement: StatementFile } | { problem: string };

const reading = ownProcess(new URL('./statements-program.ts', import.meta.url), {
  cpuMs: 30_000,
  wallMs: 90_000,
  memoryMb: 768,
  maxWaiting: 10,
});

/**
 * Reads a statement in a separate process, as its bytes come from outside and may take long. Throws StatementProblem,
 * also if that process had to be ended.
 */
export async function readStatement(
  file: Uint8Array | string,
  limits: Partial<WorkLimits> = {},
): Promise<IdentifiedStatement> {
  const lines: IdentifiedLine[] = [];
  const takePart = (part: unknown) => void lines.push(...(part as IdentifiedLine[]));
  const answer = (await reading.run('readStatement', file, limits, takePart).catch((error: unknown) => {
    if (!(error instanceof ProcessEnded)) throw error;
    const words =
      'The file takes too much time or memory to read, or breaks what reads it. Import fewer days at a time.';
    throw Object.assign(new StatementProblem(words), { cause: error });
  })) as ReadAnswer;
  if ('problem' in answer) throw new StatementProblem(answer.problem);
  return { ...answer.statement, lines };
}
