import { counted } from '@sparechange/domain/counted';
import { type GivenUpMail, listGivenUp, retryGivenUp } from '#features/outbox/given-up-mails.ts';
import type { Runtime } from '#runtime/compose.ts';
import { type Answer, CommandProblem, type OpsCommand } from './operate.ts';

/** Days since which given-up mails are listed and retried. */
const listedDays = 30;
const maxListed = 1_000;

const listed = ({ db, clock }: Runtime): Promise<GivenUpMail[]> =>
  listGivenUp(db, new Date(clock.now().getTime() - listedDays * 86_400_000), maxListed);

async function list(runtime: Runtime): Promise<Answer> {
  const mails = await listed(runtime);
  const lines = mails.map(
    ({ id, recipient, supporterId, about, givenUpAt, attempts, failure, isBounced }) =>
      `${id}  ${givenUpAt.toISOString()}  ${about} to ${supporterId ? `supporter ${supporterId}` : recipient}  ${counted(attempts, 'attempt')}: ${failure}${isBounced ? '  BOUNCED' : ''}`,
  );
  if (mails.length === maxListed) lines.push(`Older ones are left out; at most ${maxListed} are listed.`);
  return { json: { mails }, text: lines.join('\n') || 'No mail was given up.' };
}

async function retry(runtime: Runtime, word: string | undefined, all: boolean): Promise<Answer> {
  if (all === (word !== undefined) || (word !== undefined && !/^(\d{1,3}\.)?\d{1,15}$/.test(word)))
    throw new CommandProblem('Say which mail by its id, as `ops mails list` shows it, or --all.');
  const ids = all ? (await listed(runtime)).filter((mail) => !mail.isBounced).map(({ id }) => id) : [word ?? ''];
  const retried = await retryGivenUp(runtime.db, ids, runtime.clock.now());
  const text = retried > 0 ? `${counted(retried, 'mail')} queued again.` : 'No given-up mail was queued again.';
  return { json: { retried }, text };
}

export function mailCommands(program: OpsCommand): void {
  const mails = program.command('mails').description('mails that were tried and given up');
  mails
    .command('list')
    .description(`each of the last ${listedDays} days: its id, attempts and last error`)
    .carryOut(list);
  mails
    .command('retry [id]')
    .description('send a given-up mail after all, and let an address that bounced be mailed again')
    .option('--all', `everything listed but bounces, after its cause was mended; at most ${maxListed} with one command`)
    .carryOut((runtime, [id], { all }) => retry(runtime, id, all === true));
}
