import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { registerMandates } from '#features/debits/register-mandates.ts';
import { findRequestText } from '#features/direct-debit-request/request-text.ts';
import { operate } from './operate.ts';

export function mandateCommands(program: Command): void {
  operate(
    program
      .command('register-mandates')
      .description('register the mandates in effect with the provider that PAYMENTS names, once it was changed'),
    async (runtime) => {
      const report = await registerMandates(runtime);
      const refused = report.refused.map(({ supporterId, reason }) => `  ${supporterId} was refused: ${reason}`);
      return {
        json: report,
        text: [`${counted(report.registered, 'mandate')} registered`, ...refused].join('\n'),
        failed: refused.length > 0,
      };
    },
  );
  operate(
    program
      .command('direct-debit-text <hash>')
      .description('the wording of a direct debit request as it was agreed to; supporter timeline names its hash'),
    async ({ db }, [hash = '']) => {
      const kept = await findRequestText(db, hash);
      return { json: kept ?? null, text: kept?.content ?? `No text is kept under ${hash}.`, failed: !kept };
    },
  );
}
