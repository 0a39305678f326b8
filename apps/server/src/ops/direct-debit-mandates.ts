import type { Command } from 'commander';
import { registerAuthorities } from '#features/debits/register-mandates.ts';
import { findRequestText } from '#features/direct-debit-request/request-text.ts';
import { operate } from './operate.ts';

export function authoritiesCommand(program: Command): void {
  operate(
    program
      .command('authorities')
      .description('register the direct debit authorities in effect where PAYMENTS leads now, once it was changed'),
    async (runtime) => {
      const report = await registerAuthorities(runtime);
      const refused = report.refused.map(({ supporterId, reason }) => `  ${supporterId} was refused: ${reason}`);
      return {
        json: report,
        text: [`${report.registered} authorities are registered`, ...refused].join('\n'),
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
