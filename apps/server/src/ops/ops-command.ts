import { Command } from 'commander';
import type { Runtime } from '#runtime/compose.ts';
import type { CommandLine } from './command-entry.ts';
import type { Answer } from './operate.ts';

type Options = CommandLine['options'];

/** A command of the operator's program, and its subcommands. */
export class OpsCommand extends Command {
  override createCommand(name?: string): OpsCommand {
    return new OpsCommand(name);
  }

  /** Declares the option that every command has which can be called. */
  printsJson(): this {
    return this.option('--json', 'print JSON');
  }

  /**
   * Opens the product's database and providers when it is called, notes itself in the audit log, prints its answer and
   * ends with exit code 1 and one sentence when it cannot.
   */
  carryOut(
    work: (runtime: Runtime, words: string[], options: Options) => Promise<Answer>,
    { secretWords = false, secretOptions = [] }: { secretWords?: boolean; secretOptions?: string[] } = {},
  ): this {
    return this.printsJson().action(async () => {
      const options = this.opts<Options>();
      const blank = findBlank(this, options);
      if (blank) {
        console.error(`${blank} must not be empty.`);
        process.exitCode = 1;
        return;
      }
      const { carryOutAndPrint } = await import('./operate.ts'); // a call for help does without the product
      const line = {
        name: [this.parent?.parent ? this.parent.name() : '', this.name()].join(' ').trim(),
        words: secretWords ? '' : this.args.join(' '),
        options: withoutSecrets(options, secretOptions),
      };
      process.exitCode = await carryOutAndPrint(line, (runtime) => work(runtime, this.args, options));
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
