import * as contract from '@sparechange/contract/console';
import type { Logger } from 'pino';
import { listFromAnswering } from '#db/silent-nodes.ts';
import { sumMoney } from '#features/accounting/payments/money-moved.ts';
import { listUnconfirmed } from '#features/beneficiaries/bank-details/change-repository.ts';
import { endOfTime, listRuns } from '#features/collections/debits/list-runs.ts';
import { listSessions } from '#features/console/operators/session-repository.ts';
import { listApprovals } from '#features/core/approvals/approval-repository.ts';
import { listUnderWay } from '#features/core/approvals/approve.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { today } from '#ports/clock.ts';
import { makeChangeCounter } from './answer-changes.ts';
import { liveChanges } from './live-changes.ts';
import { type TodayDeps, todayReader } from './read-today.ts';

interface LiveDeps extends TodayDeps {
  log: Pick<Logger, 'warn'>;
}

/** Returns a reader of the money moved; a result is reused for twenty times as long as it took. */
function moneyReader({ db, clock }: Pick<TodayDeps, 'db' | 'clock'>) {
  let known: { day: string; money: Promise<contract.Money>; until: number } | undefined;
  return (): Promise<contract.Money> => {
    const [day, began] = [today(clock), performance.now()];
    if (known?.day === day && began < known.until) return known.money;
    const money = listFromAnswering(db, (answering) => sumMoney(answering, day));
    const reading = { day, money, until: Number.POSITIVE_INFINITY };
    known = reading;
    const keepFor = (times: number) => {
      reading.until = performance.now() + times * (performance.now() - began);
    };
    money.then(
      () => keepFor(20),
      () => keepFor(0),
    );
    return money;
  };
}

/** Serves the day at a glance, and the stream of changes. Viewers get no alarm's subject and no typed reason. */
export function todayRoutes(serve: ServeConsole, deps: LiveDeps): void {
  const readToday = todayReader(deps);
  const readMoney = moneyReader(deps);
  liveRoutes(serve, deps, readToday);

  serve.person(contract.retrieveMoney, () => readMoney());

  serve.person(contract.retrieveToday, async (_input, { roles }) => {
    const found = await readToday();
    if (!contract.seesFiguresAlone(roles)) return found;
    return {
      ...found,
      suspension: found.suspension && { ...found.suspension, because: null },
      suspendedTenants: found.suspendedTenants.map((each) => ({ ...each, because: null })),
      alarms: found.alarms.map((alarm) => ({ ...alarm, about: null, sentence: null, reference: null })),
    };
  });
}

/** Returns the figures by the operations that follow them. */
const byOperation = (figures: Record<contract.FollowedFigures, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    contract.consoleOperations.flatMap(({ name, follows = 'nothing' }) =>
      typeof follows === 'object' || follows === 'nothing' ? [] : [[name, figures[follows]]],
    ),
  );

function liveRoutes(
  serve: ServeConsole,
  { db, clock, log }: LiveDeps,
  readToday: ReturnType<typeof todayReader>,
): void {
  const countChanges = makeChangeCounter(db);
  const live = liveChanges({
    onFailure: (err) => log.warn({ err }, 'the figures for live pages could not be read'),
    listSessions: (sessions) => listSessions(db, sessions),
    read: async () => {
      const today = await readToday();
      const { lastRun, suspension, suspendedTenants, missedRun, nextRunAt } = today;
      const runs = [lastRun, suspension, suspendedTenants, missedRun, nextRunAt, await listRuns(db, endOfTime, 10)];
      const approvals = await listApprovals(db, { now: clock.now(), limit: 50 });
      const figures = {
        today,
        approvals: [
          today.approvals,
          approvals,
          ...(await listUnderWay(db, approvals)),
          await listUnconfirmed(db, new Date(0)),
        ],
        runs,
      };
      return { ...byOperation(figures), ...(await countChanges()) };
    },
  });

  serve.stream(contract.followChanges, (stream, { operatorId, sessionHash }) => {
    const leave = live.follow({
      operatorId,
      session: sessionHash.toString('hex'),
      send: (text) => void (stream.write(text) || stream.destroy()), // a follower who does not read is dropped
      end: () => stream.end(),
    });
    stream.once('close', leave);
  });
}
