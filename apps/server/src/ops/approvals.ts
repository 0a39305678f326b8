import { printableLine, sydneyDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { findSilentNodes, listPatienceMs } from '#db/silent-nodes.ts';
import { describeAct } from '#features/console/operators/acts.ts';
import type { ActLine } from '#features/core/approvals/act-lines.ts';
import {
  type Approval,
  countLeftOut,
  countOpenApprovals,
  findApproval,
  listApprovals,
} from '#features/core/approvals/approval-repository.ts';
import { peopleRule, peopleWords } from '#features/core/approvals/people-needed.ts';
import { agreeTo, choosePeopleOrAsk, refuseAct } from '#runtime/approved-acts.ts';
import type { Runtime } from '#runtime/compose.ts';
import { type Answer, CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

const wordsOf = ({ summary }: Approval): string => printableLine(summary);

/** Answers that a second person has to agree, and how. */
export function askedAnswer(approval: Approval): Answer {
  const { id, act, summary, expiresAt } = approval;
  return {
    json: { approval: { id, act, summary, expiresAt } },
    text: `${wordsOf(approval)}: asked for, not done. Until ${sydneyDay(expiresAt)} another person agrees with: npm run -s ops -- approvals agree ${id}`,
  };
}

/** Returns a request with the act that is carried out once somebody agrees. */
function textOf(approval: Approval, lines: ActLine[], now: Date): string {
  const { id, state, askedBy, askedAt, expiresAt, decidedBy, failure } = approval;
  const isOver = (state === 'asked' || state === 'agreed') && expiresAt <= now;
  const about = [
    `${id}  ${isOver ? 'lapsed' : state}  ${wordsOf(approval)}`,
    `asked by ${askedBy.id} at ${askedAt.toISOString()}`,
    ...(decidedBy === null ? [] : [`answered by ${decidedBy.id}`]),
    ...(failure === null ? [] : [`failed: ${failure}`]),
  ].join('  ');
  return [about, ...lines.map(({ label, value }) => `  ${label}: ${value}`)].join('\n');
}

const describing = (runtime: Runtime, approval: Approval, silentServers: string[] = []) =>
  describeAct({ ...runtime, maySeeSupporters: true, silentServers }, approval);

/** Returns a text that is shown once, such as an API key, to the approver. */
const shownOf = (result: unknown): string => {
  const { text } = (result ?? {}) as { text?: unknown };
  return typeof text === 'string' ? `\n${text}\nThis is shown once.` : '';
};

const maxListed = 50;
const maxOpen = 500;

export function approvalCommands(approvals: OpsCommand): void {
  approvals
    .command('list')
    .description(`requests awaiting a second person; --all: also the last ${maxListed} decided`)
    .option('--all')
    .carryOut(async (runtime, _words, { all }) => {
      const { db, clock, config } = runtime;
      const rule = await peopleRule(db, config.isProduction);
      const now = clock.now();
      const open = await countOpenApprovals(db, now);
      const limit = all ? Math.min(open, maxOpen) + maxListed : maxOpen;
      const list = await listApprovals(db, { now, limit, isOpenOnly: !all });
      const silent = await findSilentNodes(db, listPatienceMs);
      const approvals = [];
      for (const approval of list) approvals.push({ ...approval, lines: await describing(runtime, approval, silent) });
      const leftOut = countLeftOut(open, list, now);
      const rest = leftOut > 0 ? [`${counted(leftOut, 'older request')} left out`] : [];
      const text = [peopleWords(rule), ...approvals.map((each) => textOf(each, each.lines, now)), ...rest].join('\n');
      return { json: { ...rule, approvals, leftOut }, text };
    });
  approvals
    .command('show <id>')
    .description('one request, and what is carried out once it is agreed to')
    .carryOut(async (runtime, [id = '']) => {
      const approval = await findApproval(runtime.db, id);
      if (!approval) throw new CommandProblem(`There is no request ${id}.`);
      const lines = await describing(runtime, approval);
      return { json: { ...approval, lines }, text: textOf(approval, lines, runtime.clock.now()) };
    });
  approvals
    .command('agree <id>')
    .description('agree to a request of another person and carry it out; safe to repeat')
    .carryOut(async (runtime, [id = '']) => {
      const done = await agreeTo(runtime, commandActor(), id);
      if (!done) return { json: { isNew: false }, text: 'It has already been carried out; nothing was done again.' };
      return {
        json: { isNew: true, result: done.result ?? null },
        text: `${wordsOf(done.approval)}: done.${shownOf(done.result)}`,
      };
    });
  approvals
    .command('refuse <id>')
    .description('refuse what was asked for')
    .carryOut(async (runtime, [id = '']) => {
      await refuseAct(runtime, commandActor(), id);
      return { json: { id, refused: true }, text: 'The request is refused.' };
    });
  approvals
    .command('people <number>')
    .description(
      'how many people a dangerous act needs: 2, or 1 for an organisation of one; a change to 1 needs two people',
    )
    .carryOut(async (runtime, [number]) => {
      if (number !== '1' && number !== '2') throw new CommandProblem('The number of people is 1 or 2.');
      const chosen = await choosePeopleOrAsk(runtime, commandActor(), number === '2' ? 2 : 1);
      if ('approval' in chosen) return askedAnswer(chosen.approval);
      const rule = await peopleRule(runtime.db, runtime.config.isProduction);
      return { json: rule, text: peopleWords(rule) };
    });
}
