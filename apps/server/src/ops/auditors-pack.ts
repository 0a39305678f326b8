import { basename } from 'node:path';
import { fullDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type PackReport, writePack } from '#features/accounting/auditors-pack/write-pack.ts';
import { ArchiveTooLarge } from '#features/accounting/auditors-pack/zip-files.ts';
import { adviceDependencies } from '#runtime/dependencies.ts';
import { closedDaysOf } from './export-ledger.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { progress } from './show-progress.ts';
import { writeWhole } from './write-whole.ts';

export function auditorsPackCommand(command: OpsCommand): void {
  command
    .requiredOption('--year <year>', 'a financial year: 2026-27, or 2026 for the one that begins then')
    .carryOut(async (runtime, [file = ''], options) => {
      if (!file.toLowerCase().endsWith('.zip')) throw new CommandProblem('The file must end in .zip.');
      const days = await closedDaysOf(runtime, options);
      const { clock, config } = runtime;
      const deps = { ...adviceDependencies(runtime), db: runtime.db, clock, statementName: config.statementName };
      const report: PackReport = { files: 0, leftOut: [] };
      const folder = basename(file).slice(0, -'.zip'.length);
      const pieces = writePack(deps, folder, days, report, ({ day, transactions }) =>
        progress.say({ words: `${day}: ${counted(transactions, 'transaction')}` }),
      );
      await writeWhole(file, pieces).catch((error: unknown) => {
        throw error instanceof ArchiveTooLarge ? new CommandProblem(error.message) : error;
      });
      const words = `${file}: ${counted(report.files, 'file')} of ${fullDay(days.from)} to ${fullDay(days.to)}`;
      const text = [words, ...report.leftOut.map((sentence) => `LEFT OUT: ${sentence}`)].join('\n');
      return { json: { ...days, file, ...report }, text, failed: report.leftOut.length > 0 };
    });
}
