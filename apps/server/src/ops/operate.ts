import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, appendToAuditLog } from '#audit/audit-log.ts';
import { ConfigProblem, parseConfig } from '#config/config.ts';
import { announceEnd } from '#db/command-endings.ts';
import { NotConnected } from '#db/connections.ts';
import { findUnreachedNode, isConnectionLost } from '#db/database-answers.ts';
import { nodesInWords } from '#db/silent-nodes.ts';
import { Refusal, StartProblem } from '#errors.ts';
import { AskedAlready } from '#features/core/approvals/approve.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { openRuntime, type Runtime } from '#runtime/compose.ts';
import { SandboxProblem } from '#runtime/sandbox-control.ts';
import { type CommandLine, commandEntry, operatorName, personName } from './command-entry.ts';
import { progress } from './show-progress.ts';

/** A command's failure, in one sentence for the operator. */
export class CommandProblem extends Error {
  override name = 'CommandProblem';
}

export interface Answer {
  /** The output of `--json`. */
  json: unknown;
  /** The output for people. */
  text: string;
  /** Set to end with exit code 1 although the command could be carried out: a violation was found. */
  failed?: boolean;
}

/** Carries out a command in the product, notes it in the audit log and prints its answer; returns the exit code. */
export async function carryOutAndPrint(
  line: CommandLine,
  carryOut: (runtime: Runtime) => Promise<Answer>,
): Promise<number> {
  progress.begin(`${line.name} …`);
  try {
    const runtime = await openRuntime(parseConfig(process.env), 'ops');
    try {
      await note(runtime, line);
      const answer = await carryOut(runtime);
      progress.end();
      process.stdout.write(`${line.options.json ? JSON.stringify(answer.json) : answer.text}\n`);
      return answer.failed ? 1 : 0;
    } finally {
      await announceEnd(runtime.db).catch(() => {}); // workers look each minute as well
      await runtime.close();
    }
  } catch (error) {
    progress.end();
    console.error(describe(error));
    return 1;
  } finally {
    progress.end();
  }
}

/** Returns the person who runs this command. */
export const commandActor = (): Actor => ({ kind: 'operating_system', id: personName(process.env.SUDO_USER) });

async function note(runtime: Runtime, line: CommandLine): Promise<void> {
  const entry = await commandEntry(runtime.db, runtime.clock.now(), operatorName(process.env.SUDO_USER), line);
  await appendToAuditLog(runtime.db, entry);
}

function describe(error: unknown): string {
  if (isConnectionLost(error)) {
    const node = findUnreachedNode(error);
    const unreached = node ? `The database ${nodesInWords([node])} does not answer.` : 'The database is unavailable.';
    const what = error instanceof NotConnected ? error.message : unreached;
    return `${what} What was done is kept; run the command again once it is back.`;
  }
  if (error instanceof AskedAlready)
    return `${error.message} Or with: npm run -s ops -- approvals agree ${error.approval.id}`;
  const isExpected =
    error instanceof CommandProblem ||
    error instanceof Refusal ||
    error instanceof ConfigProblem ||
    error instanceof StartProblem ||
    error instanceof NotConnected ||
    error instanceof ProviderUnavailable ||
    error instanceof ProviderRefused ||
    error instanceof SandboxProblem ||
    isFileProblem(error);
  return isExpected ? error.message : ((error as Error).stack ?? String(error));
}

/** A file or folder that cannot be read or written, as "ENOENT: no such file or directory, open '/nowhere/x.csv'". */
const isFileProblem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error;

const pauseMs = 500;
const maxPauses = 120;

/** Tries again for a minute while another process has the turn, which work says by answering undefined. */
export async function waitForTurn<Result>(work: () => Promise<Result | undefined>): Promise<Result | undefined> {
  let result = await work();
  for (let pauses = 0; result === undefined && pauses < maxPauses; pauses += 1)
    result = await sleep(pauseMs).then(work);
  return result;
}
