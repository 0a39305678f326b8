import { roles as allRoles, Role } from '@sparechange/contract/console';
import { z } from 'zod';
import { addOperator, recoverOperator } from '#features/console/operators/manage-operators.ts';
import { findOperatorByEmail } from '#features/console/operators/operator-repository.ts';
import { grantedRoles } from '#features/console/operators/roles-act.ts';
import { doOrAsk } from '#runtime/approved-acts.ts';
import type { Runtime } from '#runtime/compose.ts';
import { askedAnswer } from './approvals.ts';
import { type Answer, CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

const readEmail = (text: string): string => {
  const email = z.email().safeParse(text.trim().toLowerCase());
  if (!email.success) throw new CommandProblem('Give an address, such as pat@club.example.');
  return email.data;
};

const readList = (text: unknown): string[] =>
  typeof text === 'string'
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    : [];

async function invite(runtime: Runtime, email: string, options: Record<string, unknown>): Promise<Answer> {
  const roles = z.array(Role).min(1).safeParse(readList(options.role));
  if (!roles.success) throw new CommandProblem(`--role is one or several of ${allRoles.join(', ')}, with commas.`);
  const clubIds = readList(options.club);
  if (!z.array(z.uuid()).safeParse(clubIds).success)
    throw new CommandProblem('--club is one or several ids, as `ops clubs list` shows them, with commas.');
  if (roles.data.includes('treasurer') !== clubIds.length > 0)
    throw new CommandProblem('A treasurer needs --club, and only a treasurer has one.');
  const name = String(options.name ?? email.split('@')[0]);
  const id = await addOperator(runtime, { email, name, clubIds });
  const summary = `Make ${name} ${roles.data.join(', ')}`;
  const args = { personId: id, roles: roles.data, clubIds };
  const asked = await doOrAsk(runtime, commandActor(), grantedRoles, args, summary);
  if ('approval' in asked) return askedAnswer(asked.approval);
  return { json: { id, email, roles: roles.data, clubIds }, text: `${email} is invited; the link lasts seven days.` };
}

async function recover(runtime: Runtime, email: string): Promise<Answer> {
  const operator = await findOperatorByEmail(runtime.db, email);
  if (!operator) throw new CommandProblem('No one with this address has been invited.');
  await recoverOperator({ ...runtime, by: commandActor() }, operator.id);
  return {
    json: { id: operator.id },
    text: `${email} is signed out everywhere, and has been emailed a link to set up a new sign-in.`,
  };
}

/** Adds `console`: the first owner, and a way in when no owner has one. */
export function consoleCommands(commands: OpsCommand): void {
  commands
    .command('invite <email>')
    .description('mail an invitation to the console')
    .requiredOption('--role <roles>', `${allRoles.join(', ')}; several with commas`)
    .option('--club <ids>', 'the clubs of a treasurer; several with commas')
    .option('--name <name>', 'how they are shown; by default the part before the @')
    .carryOut((runtime, [email = ''], options) => invite(runtime, readEmail(email), options));
  commands
    .command('recover <email>')
    .description('delete their passkeys and password, and email a link to set up a new sign-in')
    .carryOut((runtime, [email = '']) => recover(runtime, readEmail(email)));
}
