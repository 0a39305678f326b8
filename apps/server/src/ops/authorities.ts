import type { Command } from 'commander';
import { registerAuthorities } from '#features/debits/register-authorities.ts';
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
}
