import type { Command } from 'commander';
import { noteInAuditLog } from '#audit/audit-log.ts';
import { ConfigProblem, parseConfig } from '#config/config.ts';
import { DatabaseLost, type LossWatch, watchForLoss } from '#db/watch-for-loss.ts';
import { Refusal } from '#errors.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { openRuntime, type Runtime } from '#runtime/compose.ts';
import { SandboxProblem } from '#runtime/sandbox-control.ts';
import { commandEntry, operatorName } from './command-entry.ts';

/** A command that cannot do what was asked, in one sentence for the operator. */
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

/**
 * Turns a command into one that opens the product's database and providers, notes itself in the audit log, prints its
 * answer and ends with exit code 1 and one sentence when it cannot.
 */
export function operate(
  command: Command,
  carryOut: (runtime: Runtime, words: string[], options: Options) => Promise<Answer>,
  { secretWords = false } = {},
): Command {
  return command.option('--json', 'print JSON').action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command;
    const options = self.opts<Options>();
    process.exitCode = await carryOutAndPrint(self, options, secretWords ? '' : self.args.join(' '), (runtime) =>
      carryOut(runtime, self.args, options),
    );
  });
}

async function carryOutAndPrint(
  command: Command,
  options: Options,
  words: string,
  carryOut: (runtime: Runtime) => Promise<Answer>,
): Promise<number> {
  let runtime: Runtime | undefined;
  let watch: LossWatch | undefined;
  try {
    const opened = await openRuntime(parseConfig(process.env), 'ops');
    runtime = opened;
    watch = watchForLoss(opened.databaseUrl);
    const work = note(opened, command, options, words).then(() => carryOut(opened));
    const answer = await Promise.race([work, watch.lost]);
    process.stdout.write(`${options.json ? JSON.stringify(answer.json) : answer.text}\n`);
    return answer.failed ? 1 : 0;
  } catch (error) {
    console.error(describe(error));
    return 1;
  } finally {
    // What waits for a database that has gone would keep the program from ending.
    await Promise.race([runtime?.close(), watch?.lost]).catch(() => process.exit(1));
    watch?.stop();
  }
}

async function note(runtime: Runtime, command: Command, options: Options, words: string): Promise<void> {
  const name = [command.parent?.parent ? command.parent.name() : '', command.name()].join(' ').trim();
  const entry = await commandEntry(runtime.db, runtime.clock.now(), operatorName(process.env.SUDO_USER), {
    name,
    words,
    options,
  });
  await noteInAuditLog(runtime.db, entry);
}

function describe(error: unknown): string {
  const isExpected =
    error instanceof CommandProblem ||
    error instanceof Refusal ||
    error instanceof ConfigProblem ||
    error instanceof DatabaseLost ||
    error instanceof ProviderUnavailable ||
    error instanceof ProviderRefused ||
    error instanceof SandboxProblem;
  return isExpected ? error.message : ((error as Error).stack ?? String(error));
}
