import type { Command } from 'commander';
import { reidentifyAccounts } from '#features/accounts/reidentify-accounts.ts';
import { resealEverything } from '#secrets/re-encrypt.ts';
import { operate } from './operate.ts';

export function resealCommand(program: Command): void {
  operate(
    program
      .command('reseal')
      .description(
        'close every account number with the first data key and hash it anew, after a new one was put in front of DATA_KEY',
      ),
    async ({ db, seal }) => {
      const resealed = (await resealEverything(db, seal)) + (await reidentifyAccounts(db, seal));
      const text = `${resealed} values are sealed or hashed anew; nothing needs an older data key any more`;
      return { json: { resealed }, text };
    },
  );
}
