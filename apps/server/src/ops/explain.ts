import type { IsoDate } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Db } from '#db/connect.ts';
import { planOf, statementsOf } from '#db/explain.ts';
import { runningCampaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { debitCandidates } from '#features/collections/debits/debit-candidates.ts';
import { readPlannedPage } from '#features/collections/debits/debit-repository.ts';
import { donatedByMonth, listHistory } from '#features/collections/history/history-repository.ts';
import { findUserRecordRow } from '#features/supporters/profiles/user-record-repository.ts';
import type { Runtime } from '#runtime/compose.ts';
import type { explainedReads } from './explained-reads.ts';
import { findOneSupporter } from './find-supporter.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

interface About {
  runtime: Runtime;
  supporterId: string;
  /** The next debit day. */
  day: IsoDate;
}

const hotReads: Record<keyof typeof explainedReads, (db: Db, about: About) => Promise<unknown>> = {
  'plan-debits': async (db, { runtime, day }) =>
    db`with ${debitCandidates(db, day, await runningCampaigns(runtime.db, runtime.tenants, day))}
      select reason, count(*), sum(cents) from candidates group by reason`,
  'submit-debits': (db, { runtime }) => {
    const now = runtime.clock.now();
    return readPlannedPage(db, ['round-up'], { now, beganAt: now, suspended: [], after: undefined, limit: 100 });
  },
  dashboard: (db, { supporterId, day }) => findUserRecordRow(db, supporterId, day),
  history: async (db, { supporterId }) => {
    await listHistory(db, supporterId);
    await donatedByMonth(db, supporterId);
  },
};

async function firstSupporter(db: Db): Promise<string> {
  const [found] = await db<{ id: string }[]>`select supporter_id as id from supporters order by 1 limit 1`;
  return found?.id ?? '00000000-0000-0000-0000-000000000000';
}

export function explainCommand(command: OpsCommand): void {
  command
    .option(
      '--supporter <supporter>',
      'whose bucket, and who is read; otherwise the first supporter of the first bucket',
    )
    .option('--analyze', 'show rows, time and buffers as well, which runs the statements once more')
    .carryOut(async (whole, [name = ''], { supporter, analyze }) => {
      const read = new Map(Object.entries(hotReads)).get(name);
      if (!read)
        throw new CommandProblem(`There is no read "${name}" to explain: ${Object.keys(hotReads).join(', ')}.`);
      const found = supporter ? await findOneSupporter(whole, String(supporter)) : undefined;
      const bucket = found?.runtime.db ?? whole.db.inBuckets()[0] ?? whole.db;
      const supporterId = found?.supporterId ?? (await firstSupporter(bucket));
      const about = { runtime: whole, supporterId, day: upcomingDebitDay(whole.clock.now()) };
      const plans: { statement: string; plan: string }[] = [];
      for (const query of await statementsOf(bucket, (noted) => read(noted, about)))
        plans.push({ statement: query.text.trim(), plan: await planOf(bucket, query, analyze === true) });
      return { json: plans, text: plans.map(({ statement, plan }) => `${statement}\n\n${plan}`).join('\n\n') };
    });
}
