import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCents, periodInWords } from '@sparechange/domain';
import type { Command } from 'commander';
import { issueReceipt } from '#features/receipts/issue-receipt.ts';
import { listReceipts } from '#features/receipts/list-receipts.ts';
import { supporterByEmail } from './find-supporter.ts';
import { operate } from './operate.ts';

export function receiptsCommand(program: Command): void {
  const command = program
    .command('receipts <email>')
    .description("a supporter's receipts of months and statements of financial years that are over")
    .option('--dir <dir>', 'write them there as PDF; those never asked for before are issued');
  operate(command, async (runtime, [email = ''], { dir }) => {
    const { supporterId } = await supporterByEmail(runtime, email);
    const files: string[] = [];
    for (const period of typeof dir === 'string' ? await listReceipts(runtime.db, supporterId) : []) {
      const { number, pdf } = await issueReceipt(runtime, supporterId, period);
      const file = join(String(dir), `${period.kind === 'month' ? 'receipt' : 'statement'}-${number}.pdf`);
      await mkdir(String(dir), { recursive: true });
      await writeFile(file, pdf);
      files.push(file);
    }
    const receipts = await listReceipts(runtime.db, supporterId);
    const lines = receipts.map(
      (receipt) =>
        `${(receipt.number ?? 'not yet asked for').padEnd(20)}${formatCents(receipt.totalCents).padStart(12)}  ${periodInWords(receipt)}`,
    );
    return {
      json: { receipts, files },
      text: [...lines, ...files].join('\n') || 'There are no receipts yet.',
    };
  });
}
