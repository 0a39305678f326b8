import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
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
import { commandEntry, operatorName, personName } from './command-entry.ts';

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

type Options = Record<string, string | boolean | undefined>;

/** A command of the operator's program, and its subcommands. */
export class OpsCommand extends Command {
  override createCommand(name?: string): OpsCommand {
    return new OpsCommand(name);
  }

  /**
   * Opens the product's database and providers when it is called, notes itself in the audit log, prints its answer and
   * ends with exit code 1 and one sentence when it cannot.
   */
  carryOut(
    work: (runtime: Runtime, words: string[], options: Options) => Promise<Answer>,
    { secretWords = false, secretOptions = [] }: { secretWords?: boolean; secretOptions?: string[] } = {},
  ): this {
    return this.option('--json', 'print JSON').action(async () => {
      const options = this.opts<Options>();
      const blank = findBlank(this, options);
      if (blank) {
        console.error(`${blank} must not be empty.`);
        process.exitCode = 1;
        return;
      }
      process.exitCode = await carryOutAndPrint(
        this,
        withoutSecrets(options, secretOptions),
        secretWords ? '' : this.args.join(' '),
        (runtime) => work(runtime, this.args, options),
      );
    });
  }
}

/** Leaves out options that the audit log may not keep. */
const withoutSecrets = (options: Options, secret: string[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !secret.includes(name)));

/** Finds an argument or option of nothing but spaces, such as an unset variable of a script leaves. */
function findBlank(command: OpsCommand, options: Options): string | undefined {
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
  const option = command.options.find((each) => isBlank(options[each.attributeName()]));
  if (option) return option.long ?? option.flags;
  const place = command.args.findIndex(isBlank);
  if (place < 0) return undefined;
  const name = command.registeredArguments[place] ?? command.registeredArguments.at(-1);
  return `<${name?.name() ?? 'argument'}>`;
}

async function carryOutAndPrint(
  command: OpsCommand,
  options: Options,
  words: string,
  carryOut: (runtime: Runtime) => Promise<Answer>,
): Promise<number> {
  try {
    const runtime = await openRuntime(parseConfig(process.env), 'ops');
    try {
      await note(runtime, command, options, words);
      const answer = await carryOut(runtime);
      process.stdout.write(`${options.json ? JSON.stringify(answer.json) : answer.text}\n`);
      return answer.failed ? 1 : 0;
    } finally {
      await announceEnd(runtime.db).catch(() => {}); // workers look each minute as well
      await runtime.close();
    }
  } catch (error) {
    console.error(describe(error));
    return 1;
  }
}

/** Returns the person who runs this command. */
export const commandActor = (): Actor => ({ kind: 'operating_system', id: personName(process.env.SUDO_USER) });

async function note(runtime: Runtime, command: OpsCommand, options: Options, words: string): Promise<void> {
  const name = [command.parent?.parent ? command.parent.name() : '', command.name()].join(' ').trim();
  const entry = await commandEntry(runtime.db, runtime.clock.now(), operatorName(process.env.SUDO_USER), {
    name,
    words,
    options,
  });
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
