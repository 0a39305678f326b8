import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, daysBetween, type IsoDate, shortDay, sydneyDay, sydneyTime } from '@sparechange/domain';
import { timetableOf } from '@sparechange/domain/timetable';
import { withSessionLocks } from '#db/session-lock.ts';
import { submitDonations } from '#features/collections/donations/request-donation.ts';
import { countInHand } from '#features/core/supporter-work/work-repository.ts';
import { runDueTasks, timetableLocks } from '#jobs/timetable/run-timetable.ts';
import type { Runtime } from '#runtime/compose.ts';
import { dependencies } from '#runtime/dependencies.ts';
import { anyAnswer, controlSandbox } from '#runtime/sandbox-control.ts';
import { dayPlayed, type PlayedTask } from './day-played.ts';
import { CommandProblem, waitForTurn } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption } from './read-options.ts';
import { progress } from './show-progress.ts';

const msPerDay = 86_400_000;

async function setClocks(runtime: Runtime, instant: Date): Promise<void> {
  await controlSandbox(runtime.config, '/clock', { now: instant.toISOString() }, anyAnswer);
  await runtime.clock.setTo(instant);
}

/** Loads what workers do once a day is played: with it come the routes and tasks of every feature. */
const worker = () => import('#runtime/job-handlers.ts');

/** Does supporters' due work, and waits a while for work that a worker has in hand. */
async function finishWork(runtime: Runtime): Promise<void> {
  const { doWork } = await worker();
  await doWork(runtime);
  for (let looks = 0; looks < 100 && (await countInHand(runtime.db, runtime.clock.now())) > 0; looks += 1)
    await sleep(100);
}

/** Follows a play: learns of each task before it is done, and of each day after it. */
interface Watcher {
  onTask: (day: IsoDate, task: string) => void;
  onDay: (day: IsoDate, tasks: readonly PlayedTask[]) => void;
}

/**
 * Plays the timetable of every day on the way; both clocks stand at each task's own time while it is done. Returns the
 * number of tasks.
 */
async function playUntil(runtime: Runtime, end: Date, { onTask, onDay }: Watcher): Promise<number> {
  let count = 0;
  let done: PlayedTask[] = [];
  const problems: string[] = [];
  const { sendAllMails, timetableDeps } = await worker();
  const deps = {
    ...timetableDeps(runtime),
    onDone: ({ task }: { task: string }, result: unknown) => {
      done.push({ task, result });
    },
    onFailure: ({ task, dueAt }: { task: string; dueAt: Date }, error: unknown) => {
      problems.push(`${sydneyDay(dueAt)} ${task}: ${(error as Error).message}`);
    },
  };
  const start = runtime.clock.now();
  for (let day = sydneyDay(start); day <= sydneyDay(end); day = addDays(day, 1)) {
    for (const { task, dueAt } of timetableOf(day)) {
      if (dueAt <= runtime.clock.now() || dueAt > end) continue;
      onTask(day, task);
      await setClocks(runtime, new Date(dueAt.getTime() + 1_000));
      // A task may wait for supporters' work that another one has asked for.
      for (let looks = 0; looks < 3; looks += 1) {
        await submitDonations(dependencies(runtime)); // each minute's work of a running product
        const state = await runDueTasks(deps);
        await finishWork(runtime);
        if (state === 'done') break;
      }
      await sendAllMails(runtime); // at its own time; a running product would send it days later
      if (problems.length > 0) throw new CommandProblem(problems.join('\n'));
    }
    if (done.length > 0) onDay(day, done);
    count += done.length;
    done = [];
  }
  await setClocks(runtime, end);
  return count;
}

interface Played {
  firstDay: IsoDate;
  lastDay: IsoDate;
  isJson: boolean;
}

/** Prints a line for each day as it ends, unless there is to be one document at the end. */
const watcherOf = ({ firstDay, lastDay, isJson }: Played): Watcher => ({
  onTask: (day, task) => {
    const [before, days] = [daysBetween(firstDay, day), daysBetween(firstDay, lastDay) + 1];
    progress.say({ words: `Day ${before + 1} of ${days}, ${shortDay(day)}: ${task}`, share: before / days });
  },
  onDay: (day, tasks) => {
    progress.clear();
    if (!isJson) process.stdout.write(`${dayPlayed(day, tasks)}\n`);
  },
});

function countOf(days: unknown): number {
  const count = Number(days);
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count;
  throw new CommandProblem('--days takes a whole number from 1 to 1000.');
}

const moment = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)$/;

function momentOf(text: string): Date {
  const [, day, time] = moment.exec(text) ?? [];
  if (!day) throw new CommandProblem('--to takes a Sydney day and time such as 2026-11-24T19:00.');
  return sydneyTime(dayOption(day), time as `${number}:${number}`);
}

export function advanceCommand(command: OpsCommand): void {
  command
    .option('--days <n>', 'how many days')
    .option('--to <moment>', 'a Sydney day and time instead, such as 2026-11-24T19:00')
    .carryOut(async (runtime, _words, { days, to, json }) => {
      if (Boolean(days) === Boolean(to)) throw new CommandProblem('Give either --days or --to.');
      const now = runtime.clock.now();
      const end = to ? momentOf(String(to)) : new Date(now.getTime() + countOf(days) * msPerDay);
      if (end <= now) throw new CommandProblem(`It is ${now.toISOString()} already; the clock only moves forward.`);
      const watcher = watcherOf({ firstDay: sydneyDay(now), lastDay: sydneyDay(end), isJson: Boolean(json) });
      const play = () => playUntil(runtime, end, watcher);
      const tasks = await waitForTurn(() => withSessionLocks(runtime.db, timetableLocks, play));
      if (tasks === undefined) throw new CommandProblem('The timetable is just being run; try again in a moment.');
      const is = runtime.clock.now().toISOString();
      return { json: { now: is, tasks }, text: `It is now ${is}.` };
    });
}
