import type { Command } from 'commander';
import { resealEverything } from '#features/operation/reseal.ts';
import { operate } from './operate.ts';

export function resealCommand(program: Command): void {
  operate(
    program
      .command('reseal')
      .description('close every account number with the first data key, after a new one was put in front of DATA_KEY'),
    async ({ db, seal }) => {
      const resealed = await resealEverything(db, seal);
      const text = `${resealed} values are sealed anew; nothing needs an older data key any more`;
      return { json: { resealed }, text };
    },
  );
}
