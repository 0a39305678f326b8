import { writeFile } from 'node:fs/promises';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Runtime } from '#runtime/compose.ts';
import { anything, controlSandbox } from '#runtime/sandbox-control.ts';
import { crowdCommand } from './crowd.ts';
import { dayOption } from './debit-run.ts';
import { supporterByEmail } from './find-supporter.ts';
import { CommandProblem, operate } from './operate.ts';

async function bankCustomerOf(runtime: Runtime, email: unknown): Promise<string> {
  const supporter = await supporterByEmail(runtime, String(email));
  if (!supporter.bankCustomerId) throw new CommandProblem(`${String(email)} has not linked a bank.`);
  return supporter.bankCustomerId;
}

function purchaseCommand(sandbox: Command): void {
  const command = sandbox
    .command('purchase')
    .description('a purchase at the bank')
    .requiredOption('--supporter <email>')
    .requiredOption('--amount <dollars>', 'such as 4.35')
    .option('--account <name>', 'the everyday account by default')
    .option('--description <text>')
    .option('--date <day>', 'YYYY-MM-DD, today by default')
    .option('--status <status>', 'posted or pending', 'posted');
  operate(command, async (runtime, _words, options) => {
    const { supporter, amount, account, description, date, status } = options;
    if (!/^\d+(\.\d{1,2})?$/.test(String(amount))) throw new CommandProblem('--amount takes dollars such as 4.35.');
    const body = {
      userId: await bankCustomerOf(runtime, supporter),
      amount,
      status,
      ...(account ? { account } : {}),
      ...(description ? { description } : {}),
      ...(date ? { date: dayOption(String(date)) } : {}),
    };
    const json = await controlSandbox(runtime.config, '/purchases', body, z.object({ transactionId: z.string() }));
    return { json, text: `bought for $${String(amount)}: transaction ${json.transactionId}` };
  });
}

function refundCommand(sandbox: Command): void {
  const command = sandbox
    .command('refund')
    .description('a purchase is paid back in full at the bank')
    .requiredOption('--supporter <email>')
    .option('--transaction <id>', 'the newest purchase by default')
    .option('--date <day>', 'YYYY-MM-DD, today by default');
  operate(command, async (runtime, _words, { supporter, transaction, date }) => {
    const body = {
      userId: await bankCustomerOf(runtime, supporter),
      ...(transaction ? { transactionId: transaction } : {}),
      ...(date ? { date: dayOption(String(date)) } : {}),
    };
    const answer = z.object({ transactionId: z.string(), refunded: z.string(), description: z.string() });
    const json = await controlSandbox(runtime.config, '/refunds', body, answer);
    return { json, text: `paid back: ${json.description} (transaction ${json.refunded})` };
  });
}

function bankStatementCommand(sandbox: Command): void {
  const command = sandbox
    .command('bank-statement')
    .description('the statement of the trust account, as its bank would send it: days that have ended')
    .requiredOption('--out <file>', 'where to write it')
    .option('--format <format>', 'csv or camt053', 'camt053')
    .option('--from <day>', 'YYYY-MM-DD, the beginning by default')
    .option('--to <day>', 'YYYY-MM-DD, yesterday by default');
  operate(command, async ({ config }, _words, { out, format, from, to }) => {
    const body = {
      format,
      ...(from ? { from: dayOption(String(from)) } : {}),
      ...(to ? { to: dayOption(String(to)) } : {}),
    };
    const answer = z.object({ lines: z.number(), content: z.string() });
    const { lines, content } = await controlSandbox(config, '/bank-statement', body, answer);
    await writeFile(String(out), content);
    return { json: { lines, file: String(out) }, text: `${counted(lines, 'line')} in ${String(out)}` };
  });
}

function returnNextCommand(sandbox: Command): void {
  const command = sandbox
    .command('return-next')
    .description("the supporter's next debit comes back with that code")
    .requiredOption('--supporter <email>')
    .requiredOption('--code <code>', '1 to 6, 8 or 9');
  operate(command, async (runtime, _words, { supporter, code }) => {
    const { email } = await supporterByEmail(runtime, String(supporter));
    await controlSandbox(runtime.config, '/returns', { email, code: Number(code) }, anything);
    return {
      json: { email, code: Number(code) },
      text: `the next debit of ${email} comes back with code ${String(code)}`,
    };
  });
}

function cancelMandateCommand(sandbox: Command): void {
  const command = sandbox
    .command('cancel-mandate')
    .description('the supporter cancels the direct debit at their bank, without telling us')
    .requiredOption('--supporter <email>');
  operate(command, async (runtime, _words, { supporter }) => {
    const { email } = await supporterByEmail(runtime, String(supporter));
    const answer = z.object({ cancelled: z.array(z.string()) });
    const json = await controlSandbox(runtime.config, '/agreements/cancel', { email }, answer);
    return { json, text: `cancelled at the bank: ${json.cancelled.join(', ') || 'nothing was in effect'}` };
  });
}

function balanceCommand(sandbox: Command): void {
  const command = sandbox
    .command('balance')
    .description("what the bank says is in the supporter's account, until set again")
    .requiredOption('--supporter <email>')
    .option('--amount <dollars>', 'such as 12.34')
    .option('--clear', 'the truth again')
    .option('--account <name>', 'the everyday account by default');
  operate(command, async (runtime, _words, { supporter, amount, clear, account }) => {
    if (Boolean(amount) === Boolean(clear)) throw new CommandProblem('Say either --amount or --clear.');
    const body = {
      userId: await bankCustomerOf(runtime, supporter),
      ...(account ? { account } : {}),
      ...(amount ? { balance: String(amount) } : {}),
    };
    const answer = z.object({ account: z.string(), balance: z.string().nullable() });
    const json = await controlSandbox(runtime.config, '/balances', body, answer);
    const said = json.balance === null ? 'the truth' : `$${json.balance}`;
    return { json, text: `of ${json.account} the bank says ${said}` };
  });
}

function consentCommand(sandbox: Command): void {
  const command = sandbox
    .command('consent')
    .description('end the consent at the bank, now or in some days')
    .requiredOption('--supporter <email>')
    .option('--expire')
    .option('--revoke')
    .option('--end-in <days>', 'as if most of its year were over');
  operate(command, async (runtime, _words, { supporter, expire, revoke, endIn }) => {
    if ([expire, revoke, endIn].filter(Boolean).length !== 1) {
      throw new CommandProblem('Say one of --expire, --revoke and --end-in.');
    }
    const action = expire ? 'expire' : revoke ? 'revoke' : 'end-in';
    const userId = await bankCustomerOf(runtime, supporter);
    const body = { userId, action, ...(endIn ? { days: Number(endIn) } : {}) };
    const answer = z.object({ status: z.string(), expiryDate: z.iso.datetime() });
    const { status, expiryDate } = await controlSandbox(runtime.config, '/consents', body, answer);
    return {
      json: { action, status, expiryDate },
      text: `consent of ${String(supporter)}: ${status}, ends ${expiryDate}`,
    };
  });
}

export function sandboxCommands(program: Command): void {
  const sandbox = program.command('sandbox').description('act as the outside world, in development');
  purchaseCommand(sandbox);
  refundCommand(sandbox);
  bankStatementCommand(sandbox);
  returnNextCommand(sandbox);
  cancelMandateCommand(sandbox);
  balanceCommand(sandbox);
  consentCommand(sandbox);
  crowdCommand(sandbox);
}
