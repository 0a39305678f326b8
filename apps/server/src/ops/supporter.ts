import type { Cents } from '@sparechange/domain';
import type { Command } from 'commander';
import { findHold, holdSupporter, releaseSupporter } from '#features/debits/hold-supporter.ts';
import { userRecord } from '#features/supporters/user-record.ts';
import { supporterByEmail, supporterWords } from './find-supporter.ts';
import { operate } from './operate.ts';
import { supporterFindCommand } from './supporter-find.ts';

export function supporterCommands(program: Command): void {
  const supporter = program.command('supporter').description(`one supporter, ${supporterWords}`);
  supporterFindCommand(supporter);
  operate(
    supporter
      .command('show')
      .argument('<supporter>', supporterWords)
      .description('how a supporter stands, without bank data'),
    async (runtime, [email]) => {
      const { db } = runtime;
      const found = await supporterByEmail(runtime, email ?? '');
      const { supporterId, tenantKey, onboardedOn, consentExpiresAt } = found;
      const record = await userRecord(runtime, supporterId);
      const balances = await db<{ account: string; cents: Cents }[]>`
        select account, cents from ledger_balances where supporter_id = ${supporterId} order by account`;
      const json = {
        ...record,
        email: found.email,
        tenant: tenantKey,
        onboardedOn,
        consentExpiresAt,
        hold: (await findHold(db, supporterId)) ?? null,
        balances: Object.fromEntries(balances.map(({ account, cents }) => [account, cents])),
      };
      return { json, text: JSON.stringify(json, undefined, 2) };
    },
  );
  operate(
    supporter
      .command('hold')
      .argument('<supporter>', supporterWords)
      .description('debit nothing from a supporter until released; round-ups go on counting')
      .requiredOption('--reason <text>', 'why, for whoever looks at status'),
    async (runtime, [email], { reason }) => {
      const { supporterId } = await supporterByEmail(runtime, email ?? '');
      const isNew = await holdSupporter(runtime.db, runtime.clock, supporterId, String(reason));
      return { json: { email, onHold: true, isNew }, text: `${email} ${isNew ? 'is' : 'was already'} on hold.` };
    },
  );
  operate(
    supporter
      .command('release')
      .argument('<supporter>', supporterWords)
      .description('let a held supporter be debited again; what waits goes with the next run')
      .requiredOption('--reason <text>', 'why, for the audit log'),
    async (runtime, [email], { reason }) => {
      const { supporterId } = await supporterByEmail(runtime, email ?? '');
      const wasHeld = await releaseSupporter(runtime.db, runtime.clock, supporterId, String(reason));
      return {
        json: { email, onHold: false, wasHeld },
        text: `${email} ${wasHeld ? 'is released' : 'was not on hold'}.`,
      };
    },
  );
}
