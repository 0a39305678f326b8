import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { syncEverybody, syncPurchases } from '#features/round-ups/sync-purchases.ts';
import { dependencies } from '#runtime/tasks.ts';
import { supporterByEmail, supporterWords } from './find-supporter.ts';
import { operate } from './operate.ts';

export function syncCommand(program: Command): void {
  const command = program
    .command('sync')
    .description('fetch transactions from the bank and record round-ups')
    .option('--supporter <supporter>', `only this supporter, ${supporterWords}`);
  operate(command, async (runtime, _words, { supporter: email }) => {
    const deps = dependencies(runtime);
    const failures: string[] = [];
    const { failed, ...json } =
      typeof email === 'string'
        ? { ...(await syncPurchases(deps, (await supporterByEmail(runtime, email)).supporterId)), failed: 0 }
        : await syncEverybody(deps, (supporterId, error) => failures.push(`${supporterId}: ${error.message}`));
    const money = formatCents(json.roundUpCents);
    const text = `${counted(json.transactions, 'transaction')}, ${counted(json.roundUps, 'new round-up')}, ${money}`;
    return failed > 0
      ? { json: { ...json, failed }, text: [text, ...failures].join('\n'), failed: true }
      : { json, text };
  });
}
