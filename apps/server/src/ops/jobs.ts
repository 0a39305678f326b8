import { countDeadLetters, type DeadLetter, dropDeadLetter, listDeadLetters } from '#jobs/queue-repository.ts';
import { maxFailedJobs, retryFailedJobs } from '#jobs/retry-dead-letters.ts';
import type { Runtime } from '#runtime/compose.ts';
import { isUuid } from '#uuid.ts';
import { type Answer, CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

function idOf(word: string | undefined): string {
  if (word === undefined || !isUuid(word))
    throw new CommandProblem('Give the id of a failed job, as `ops jobs list` shows it.');
  return word;
}

const jobsWere = (count: number): string => (count === 1 ? 'job was' : 'jobs were');

const leftInWords = (left: number): string[] => (left > 0 ? [`${left} more failed ${jobsWere(left)} left out.`] : []);

async function list({ db }: Runtime): Promise<Answer> {
  const jobs = await listDeadLetters(db, maxFailedJobs);
  const total = await countDeadLetters(db);
  const line = ({ id, queue, key, failedAt, attempts, error }: DeadLetter) =>
    `${id}  ${failedAt.toISOString()}  ${queue} ${key}  ${attempts} attempts: ${error ?? 'no error was kept'}`;
  const text = jobs.length > 0 ? [...jobs.map(line), ...leftInWords(total - jobs.length)] : ['No job has failed.'];
  return { json: { jobs, total }, text: text.join('\n') };
}

async function retry({ db, databaseUrl }: Runtime, word: string | undefined, all: boolean): Promise<Answer> {
  const { retried, failures, left } = await retryFailedJobs(db, databaseUrl, all ? undefined : idOf(word));
  const text = [
    retried > 0 ? `${retried} failed ${jobsWere(retried)} queued again.` : 'No failed job was queued again.',
    ...failures.map(({ id, because }) => `${id} could not be queued: ${because}`),
    ...leftInWords(left),
  ];
  return { json: { retried, failures, left }, text: text.join('\n'), failed: failures.length > 0 };
}

export function jobCommands(jobs: OpsCommand): void {
  jobs.command('list').description('each failed job: its id, queue, attempts and last error').carryOut(list);

  jobs
    .command('retry [id]')
    .description('queue a failed job again now')
    .option('--all', `every failed job, once its cause is fixed; at most ${maxFailedJobs} per command`)
    .carryOut((runtime, [id], { all }) => retry(runtime, id, all === true));

  jobs
    .command('drop <id>')
    .description('forget a failed job that is no longer needed')
    .carryOut(async ({ db }, [word]) => {
      const id = idOf(word);
      const dropped = await dropDeadLetter(db, id);
      const text = dropped ? `The failed job ${id} was dropped.` : `There is no failed job ${id}; nothing was changed.`;
      return { json: { id, dropped }, text };
    });
}
