import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { addLockedUser } from '#identity/users.ts';
import { makeReadySupporter } from '#runtime/seed.ts';
import { CommandProblem, operate } from './operate.ts';

/** Ready supporters with a bank each, who cannot sign in: for trying runs with more than a handful of people. */
export function crowdCommand(sandbox: Command): void {
  const command = sandbox
    .command('crowd')
    .description('make ready supporters, each with a bank of their own; again, it makes only those missing')
    .requiredOption('--supporters <n>', 'how many');
  operate(command, async (runtime, _words, { supporters }) => {
    const count = Number(supporters);
    if (!Number.isInteger(count) || count < 1 || count > 10_000) {
      throw new CommandProblem('--supporters takes a whole number from 1 to 10000.');
    }
    const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
    const worker = async () => {
      for (const number of numbers) {
        const email = `crowd-${number}@sparechange.example`;
        await addLockedUser(runtime.db, `crowd-${number}`, email);
        const person = {
          uid: `crowd-${number}`,
          email,
          firstName: 'Crowd',
          lastName: `Number ${number}`,
          mobile: '0400000000',
        };
        await makeReadySupporter(runtime, person, String(30_000_000 + number));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return { json: { supporters: count }, text: `${counted(count, 'supporter')} ready` };
  });
}
