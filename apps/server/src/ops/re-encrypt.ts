import type { Command } from 'commander';
import { remarkChains } from '#audit/begin-anew.ts';
import { reidentifyAccounts } from '#features/accounts/reidentify-accounts.ts';
import { reEncryptEverything } from '#secrets/re-encrypt.ts';
import { operate } from './operate.ts';

export function reEncryptCommand(program: Command): void {
  operate(
    program
      .command('reseal')
      .description(
        'close every account number with the first data key and hash it anew, after a new one was put in front of DATA_KEY',
      ),
    async (runtime) => {
      const { db, encryption } = runtime;
      const resealed = (await reEncryptEverything(db, encryption)) + (await reidentifyAccounts(db, encryption));
      const remarked = await remarkChains(runtime);
      const text = `${resealed} values are sealed or hashed anew and ${remarked} chains of the audit log marked anew; nothing needs an older data key any more`;
      return { json: { resealed, remarked }, text };
    },
  );
}
