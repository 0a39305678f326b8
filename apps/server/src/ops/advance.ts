import { addDays, sydneyDay } from '@sparechange/domain';
import { timetableOf } from '@sparechange/domain/timetable';
import type { Command } from 'commander';
import type { Runtime } from '#compose.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { runDueTasks, timetableLock } from '#features/timetable/run-timetable.ts';
import { sendAllMails, timetableDeps } from '#jobs/tasks.ts';
import { anything, controlSandbox } from '#sandbox-control.ts';
import { CommandProblem, operate } from './operate.ts';

const msPerDay = 86_400_000;

async function setClocks(runtime: Runtime, instant: Date): Promise<void> {
  await controlSandbox(runtime.config, '/clock', { now: instant.toISOString() }, anything);
  await runtime.clock.setTo(instant);
}

/** Plays the timetable of every day on the way; both clocks stand at each task's own time while it is done. */
async function playDays(runtime: Runtime, days: number): Promise<string[]> {
  const done: string[] = [];
  const problems: string[] = [];
  const deps = {
    ...timetableDeps(runtime),
    onDone: ({ task, dueAt }: { task: string; dueAt: Date }, result: unknown) => {
      done.push(`${sydneyDay(dueAt)} ${task}: ${JSON.stringify(result)}`);
    },
    onFailure: ({ task, dueAt }: { task: string; dueAt: Date }, error: unknown) => {
      problems.push(`${sydneyDay(dueAt)} ${task}: ${(error as Error).message}`);
    },
  };
  const start = runtime.clock.now();
  const end = new Date(start.getTime() + days * msPerDay);
  for (let day = sydneyDay(start); day <= sydneyDay(end); day = addDays(day, 1)) {
    for (const { dueAt } of timetableOf(day)) {
      if (dueAt <= runtime.clock.now() || dueAt > end) continue;
      await setClocks(runtime, new Date(dueAt.getTime() + 1_000));
      await runDueTasks(deps);
      await sendAllMails(runtime);
      if (problems.length > 0) throw new CommandProblem(problems.join('\n'));
    }
  }
  await setClocks(runtime, end);
  return done;
}

export function advanceCommand(program: Command): void {
  const command = program
    .command('advance')
    .description("sandbox only: move the product's and the sandbox's clock day by day, with each day's whole timetable")
    .requiredOption('--days <n>', 'how many days');
  operate(command, async (runtime, _words, { days }) => {
    const count = Number(days);
    if (!Number.isInteger(count) || count < 1 || count > 1_000)
      throw new CommandProblem('--days takes a whole number from 1 to 1000.');
    const done = await withSessionLock(runtime.db, timetableLock, () => playDays(runtime, count));
    if (!done) throw new CommandProblem('The timetable is just being run; try again in a moment.');
    const now = runtime.clock.now().toISOString();
    return { json: { now, tasks: done.length }, text: [...done, `It is now ${now}.`].join('\n') };
  });
}
