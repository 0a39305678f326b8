import { readFile } from 'node:fs/promises';
import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { decodeText } from '#decode-text.ts';
import { pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { BankFileProblem, type BankFiles, type ReturnsRead } from '#ports/bank-files.ts';
import type { Runtime } from '#runtime/compose.ts';
import { dependencies } from '#runtime/dependencies.ts';
import { type Answer, CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

function filesOf({ bankFiles }: Runtime): BankFiles {
  if (!bankFiles)
    throw new CommandProblem('Payments are not made with bank files; set PAYMENTS=direct-entry for that.');
  return bankFiles;
}

async function asCommandProblem<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof BankFileProblem ? new CommandProblem(error.message) : error;
  }
}

const readIfThere = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** Takes a returns file and settles it immediately; unusable lines make the command fail, after its work. */
async function takeReturns(runtime: Runtime, file: string): Promise<Answer> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) throw new CommandProblem(`${file} cannot be read.`);
  const read = await asCommandProblem(filesOf(runtime).readReturns(file, decodeText(bytes)));
  const settled = await pollOutcomes(dependencies(runtime));
  return { json: { ...read, settled }, text: describeReturns(read), failed: read.problems.length > 0 };
}

function describeReturns({ result, returned, problems }: ReturnsRead): string {
  const first =
    result === 'already read' ? 'This file has already been read; nothing was changed.' : `${returned} returned`;
  return [first, ...problems.map((problem) => `  not used: ${problem}`)].join('\n');
}

export function directEntryCommands(group: OpsCommand): void {
  group
    .command('write')
    .description('write waiting orders into files, each once, in the outbox')
    .carryOut(async (runtime) => {
      const json = await asCommandProblem(filesOf(runtime).write());
      const lines = json.files.map(({ name, items, totalCents }) => `${name}  ${items} for ${formatCents(totalCents)}`);
      const leftOut = json.unreadable.map(
        (reference) => `  not in a file: ${reference}, its account cannot be decrypted`,
      );
      return {
        json,
        failed: leftOut.length > 0,
        text: [
          ...lines,
          ...leftOut,
          `${counted(json.files.length, 'file')} written; the outbox is ${json.folder}`,
        ].join('\n'),
      };
    });

  group
    .command('lodged <file>')
    .description('the bank has taken this file: from its day on, orders clear')
    .carryOut(async (runtime, [file = '']) => {
      const json = await asCommandProblem(filesOf(runtime).markLodged(file, await readIfThere(file)));
      return { json, text: `${json.name} ${json.result}; what does not come back clears on ${json.clearsOn}` };
    });

  group
    .command('not-lodged <file>')
    .description('the bank does not have this file after all: it waits to be lodged again, until the day it clears')
    .requiredOption('--reason <text>', 'kept in the audit log')
    .carryOut(async (runtime, [file = '']) => {
      const json = await asCommandProblem(filesOf(runtime).markNotLodged(file));
      const text =
        json.result === 'not lodged'
          ? `${json.name} is not lodged; lodge it, or withdraw it`
          : `${json.name} was not marked as lodged; nothing was changed`;
      return { json, text };
    });

  group
    .command('withdraw <file>')
    .description('the bank did not take this file: its orders go into the next one')
    .carryOut(async (runtime, [file = '']) => {
      const json = await asCommandProblem(filesOf(runtime).withdraw(file));
      const text =
        json.result === 'withdrawn'
          ? `${json.name} withdrawn; ${counted(json.items, 'order')} left for the next file`
          : `${json.name} was withdrawn before; nothing was changed`;
      return { json, text };
    });

  group
    .command('returns <file>')
    .description("import a bank's file of returns, once")
    .carryOut((runtime, [file = '']) => takeReturns(runtime, file));
}
