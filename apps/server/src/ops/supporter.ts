import type { Command } from 'commander';
import { userRecord } from '#features/identity/user-record.ts';
import { supporterByEmail } from './find-supporter.ts';
import { operate } from './operate.ts';

export function supporterCommands(program: Command): void {
  const supporter = program.command('supporter').description('one supporter');
  operate(
    supporter.command('show <email>').description('how a supporter stands, without bank data'),
    async (runtime, [email]) => {
      const { db } = runtime;
      const { supporterId, tenantKey, onboardedOn, consentExpiresAt } = await supporterByEmail(runtime, email ?? '');
      const record = await userRecord(runtime, supporterId);
      const balances = await db<{ account: string; cents: number }[]>`
        select account, cents from ledger_balances where supporter_id = ${supporterId} order by account`;
      const json = {
        ...record,
        tenant: tenantKey,
        onboardedOn,
        consentExpiresAt,
        balances: Object.fromEntries(balances.map(({ account, cents }) => [account, cents])),
      };
      return { json, text: JSON.stringify(json, undefined, 2) };
    },
  );
}
