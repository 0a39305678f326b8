import { counted } from '@sparechange/domain/counted';
import { type GivenUpMail, listGivenUp, retryGivenUp } from '#features/core/outbox/given-up-mails.ts';
import { believedDays, type NotedDelivery, noteFailedDelivery } from '#features/core/outbox/note-failed-delivery.ts';
import { readFailedDeliveries } from '#providers/smtp/delivery-report.ts';
import type { Runtime } from '#runtime/compose.ts';
import { type Answer, CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

/** Days since which given-up emails are listed and retried. */
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
    throw new CommandProblem('Give the id of an email, as `ops mails list` shows it, or --all.');
  const ids = all ? (await listed(runtime)).filter((mail) => !mail.isBounced).map(({ id }) => id) : [word ?? ''];
  const retried = await retryGivenUp(runtime.db, ids, runtime.clock.now());
  const text = retried > 0 ? `${counted(retried, 'mail')} queued again.` : 'No given-up mail was queued again.';
  return { json: { retried }, text };
}

/** A report says what failed before it repeats the email. */
const maxMessageBytes = 256_000;

/** Reads the beginning of its input, and discards the rest, so that a mail server can write all of it. */
async function readPiped(): Promise<Uint8Array> {
  if (process.stdin.isTTY) throw new CommandProblem('Pipe a message in: ops mails bounce < MESSAGE');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk).subarray(0, maxMessageBytes - bytes);
    if (piece.length > 0) chunks.push(piece);
    bytes += piece.length;
  }
  return Buffer.concat(chunks);
}

const sentences: Record<NotedDelivery, string> = {
  bounced: 'The mail is noted as bounced; a supporter gets no mail at that address for 30 days.',
  'given up': 'The mail is noted as given up.',
  'noted already': 'The mail was noted already.',
  unknown: `No mail with that Message-ID was sent to that address in the last ${believedDays} days; nothing was noted.`,
};

async function takeReport({ db, clock, config }: Runtime): Promise<Answer> {
  const failed = await readFailedDeliveries(await readPiped());
  const noted: NotedDelivery[] = [];
  for (const delivery of failed)
    noted.push(await noteFailedDelivery({ db, now: clock.now(), operatorMail: config.operatorMail }, delivery));
  const text = noted.map((each) => sentences[each]).join('\n');
  return { json: { noted }, text: text || 'The message reports no mail that failed; nothing was noted.' };
}

export function mailCommands(mails: OpsCommand): void {
  mails
    .command('list')
    .description(`each of the last ${listedDays} days: its id, attempts and last error`)
    .carryOut(list);
  mails
    .command('bounce')
    .description("mark an email as undelivered from a mail server's report on standard input; anything else is ignored")
    .carryOut(takeReport);
  mails
    .command('retry [id]')
    .description('send an email that was given up, and allow emails to a bounced address again')
    .option('--all', `everything listed but bounces, once the cause is fixed; at most ${maxListed} per command`)
    .carryOut((runtime, [id], { all }) => retry(runtime, id, all === true));
}
