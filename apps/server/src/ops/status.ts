import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Command } from 'commander';
import { findHalt } from '#features/debits/halted-runs.ts';
import { listStoppedTenants } from '#features/debits/stopped-tenants.ts';
import { missedRun } from '#features/debits/watch-runs.ts';
import { operate } from './operate.ts';

export function statusCommand(program: Command): void {
  const command = program.command('status').description('what is configured, how many supporters, the next debit day');
  operate(command, async ({ config, db, clock }) => {
    const [count] = await db<{ supporters: number }[]>`select count(*) as supporters from supporters`;
    const [open] = await db<{ notifications: number; debits: number; payouts: number }[]>`
        select (select count(*) from notifications where handled_at is null) as notifications,
          (select count(*) from debits where state in ('planned', 'submitting', 'submitted')) as debits,
          (select count(*) from deposits where state in ('planned', 'submitting', 'submitted'))
            + (select count(*) from remittances where state in ('planned', 'submitting', 'submitted')) as payouts`;
    const json = {
      environment: config.isProduction ? 'production' : 'development',
      database: config.databaseUrl ? 'external' : `embedded in ${config.dataDir}`,
      now: clock.now().toISOString(),
      supporters: count?.supporters ?? 0,
      nextDebitDate: upcomingDebitDay(clock.now()),
      openDebits: open?.debits ?? 0,
      openPayouts: open?.payouts ?? 0,
      halt: (await findHalt(db)) ?? null,
      missedDebitRun: (await missedRun(db, clock)) ?? null,
      stoppedTenants: await listStoppedTenants(db),
      queues: { notifications: open?.notifications ?? 0 },
      providers: {
        bankLink: config.basiq.apiUrl,
        directDebit: config.payments === 'zepto' ? config.zepto.apiUrl : `bank files in ${config.directEntry.folder}`,
        identity: config.firebase ? `firebase ${config.firebase.projectId}` : 'embedded',
      },
    };
    const text = [
      `environment   ${json.environment}`,
      `database      ${json.database}`,
      `now           ${json.now}`,
      `supporters    ${json.supporters}`,
      `next debits   ${json.nextDebitDate}`,
      `open debits   ${json.openDebits}`,
      `open payouts  ${json.openPayouts}`,
      ...(json.halt ? [`HALTED        since the run of ${json.halt.date}: ${json.halt.because}`] : []),
      ...(json.missedDebitRun ? [`MISSED        the debit run of ${json.missedDebitRun} has not been finished`] : []),
      ...json.stoppedTenants.map(
        ({ tenant, since, because }) => `STOPPED       ${tenant} since ${since.toISOString()}: ${because}`,
      ),
      `bank link     ${json.providers.bankLink}`,
      `direct debit  ${json.providers.directDebit}`,
      `identity      ${json.providers.identity}`,
    ].join('\n');
    return { json, text };
  });
}
