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
import { findOneSupporter } from './find-supporter.ts';
import { CommandProblem, type OpsCommand } from './operate.ts';

interface About {
  runtime: Runtime;
  supporterId: string;
  /** The next debit day. */
  day: IsoDate;
}

/** Reads over a bucket that are sent often, or that take long. */
const hotReads: Record<string, { about: string; read: (db: Db, about: About) => Promise<unknown> }> = {
  'plan-debits': {
    about: 'who is debited next, how much, and why others are not',
    read: async (db, { runtime, day }) =>
      db`with ${debitCandidates(db, day, await runningCampaigns(runtime.db, runtime.tenants, day))}
        select reason, count(*), sum(cents) from candidates group by reason`,
  },
  'submit-debits': {
    about: 'a page of planned debits',
    read: (db, { runtime }) => {
      const now = runtime.clock.now();
      return readPlannedPage(db, ['round-up'], { now, beganAt: now, suspended: [], after: undefined, limit: 100 });
    },
  },
  dashboard: {
    about: "a supporter's record",
    read: (db, { supporterId, day }) => findUserRecordRow(db, supporterId, day),
  },
  history: {
    about: "a supporter's history",
    read: async (db, { supporterId }) => {
      await listHistory(db, supporterId);
      await donatedByMonth(db, supporterId);
    },
  },
};

async function firstSupporter(db: Db): Promise<string> {
  const [found] = await db<{ id: string }[]>`select supporter_id as id from supporters order by 1 limit 1`;
  return found?.id ?? '00000000-0000-0000-0000-000000000000';
}

export function explainCommand(program: OpsCommand): void {
  const names = Object.entries(hotReads).map(([name, { about }]) => `${name} (${about})`);
  program
    .command('explain <read>')
    .description(`show how PostgreSQL plans the statements of a frequent or long read: ${names.join(', ')}`)
    .option(
      '--supporter <supporter>',
      'whose bucket, and who is read; otherwise the first supporter of the first bucket',
    )
    .option('--analyze', 'show rows, time and buffers as well, which runs the statements once more')
    .carryOut(async (whole, [name = ''], { supporter, analyze }) => {
      const hot = hotReads[name];
      if (!hot) throw new CommandProblem(`There is no read "${name}" to explain: ${Object.keys(hotReads).join(', ')}.`);
      const found = supporter ? await findOneSupporter(whole, String(supporter)) : undefined;
      const bucket = found?.runtime.db ?? whole.db.inBuckets()[0] ?? whole.db;
      const supporterId = found?.supporterId ?? (await firstSupporter(bucket));
      const about = { runtime: whole, supporterId, day: upcomingDebitDay(whole.clock.now()) };
      const plans: { statement: string; plan: string }[] = [];
      for (const query of await statementsOf(bucket, (noted) => hot.read(noted, about)))
        plans.push({ statement: query.text.trim(), plan: await planOf(bucket, query, analyze === true) });
      return { json: plans, text: plans.map(({ statement, plan }) => `${statement}\n\n${plan}`).join('\n\n') };
    });
}
