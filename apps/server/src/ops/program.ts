import { commands } from './commands.ts';
import { OpsCommand } from './ops-command.ts';

/** Returns the name of the command that is called, or that help is asked for. */
function calledName(words: readonly string[]): string | undefined {
  const [first, second] = words.filter((word) => word !== '--');
  return first === 'help' ? second : first;
}

/**
 * Returns the operator's command line for these words: with what the called command does, and the other names for help, so
 * that no call loads what others do. A wrong use of it is answered with one line.
 */
export async function operatorProgram(words: readonly string[]): Promise<OpsCommand> {
  const program = new OpsCommand('ops')
    .description(
      "The operator's command line of Sparechange: against the running product, or its database when it is stopped. Emails from a command are queued; the running product sends them within seconds.",
    )
    .enablePositionalOptions()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  const called = calledName(words);
  for (const { usage, about, isGroup, load } of commands) {
    const command = program.command(usage).description(about);
    if (command.name() === called) (await load())(command);
    else if (!isGroup) command.printsJson();
  }
  return program;
}

/** Joins an error and a similar name, if there is one: "error: unknown command 'stats' (Did you mean status?)". */
const oneLine = (text: string): string => `${text.trim().replace(/\s+/g, ' ')} See: npm run -s ops -- --help\n`;
