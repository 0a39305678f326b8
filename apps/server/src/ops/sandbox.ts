import { writeFile } from 'node:fs/promises';
import { dollars, formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { z } from 'zod';
import { findRefundablePurchase } from '#features/supporters/purchase-refunds/find-refundable-purchase.ts';
import { addLockedUser } from '#identity/users.ts';
import type { Runtime } from '#runtime/compose.ts';
import { anyAnswer, controlSandbox } from '#runtime/sandbox-control.ts';
import { makeReadySupporter } from '#runtime/seed.ts';
import { findOneSupporter } from './find-supporter.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dayOption, dollarsOption } from './read-options.ts';

async function bankCustomerOf(runtime: Runtime, email: unknown): Promise<string> {
  const supporter = await findOneSupporter(runtime, String(email));
  if (!supporter.bankCustomerId) throw new CommandProblem(`${String(email)} has not linked a bank.`);
  return supporter.bankCustomerId;
}

function purchaseCommand(sandbox: OpsCommand): void {
  sandbox
    .command('purchase')
    .description('a purchase at the bank')
    .requiredOption('--supporter <email>')
    .requiredOption('--amount <dollars>', 'such as 4.35')
    .option('--account <name>', 'the everyday account by default')
    .option('--description <text>')
    .option('--date <day>', 'YYYY-MM-DD, today by default')
    .option('--status <status>', 'posted or pending', 'posted')
    .carryOut(async (runtime, _words, options) => {
      const { supporter, amount, account, description, date, status } = options;
      const price = dollarsOption(amount, '--amount');
      const body = {
        userId: await bankCustomerOf(runtime, supporter),
        amount: dollars(price),
        status,
        ...(account ? { account } : {}),
        ...(description ? { description } : {}),
        ...(date ? { date: dayOption(String(date)) } : {}),
      };
      const json = await controlSandbox(runtime.config, '/purchases', body, z.object({ transactionId: z.string() }));
      return { json, text: `bought for ${formatCents(price)}: transaction ${json.transactionId}` };
    });
}

function refundCommand(sandbox: OpsCommand): void {
  sandbox
    .command('refund')
    .description('refund a purchase in full at the bank: after the next sync its round-up comes off a later debit')
    .requiredOption('--supporter <email>')
    .option('--transaction <id>', 'the newest purchase that was rounded up by default')
    .option('--date <day>', 'YYYY-MM-DD, today by default')
    .carryOut(async (runtime, _words, { supporter, transaction, date }) => {
      const { supporterId, runtime: own } = await findOneSupporter(runtime, String(supporter));
      const paidBack = transaction ?? (await findRefundablePurchase(own.db, supporterId));
      const body = {
        userId: await bankCustomerOf(runtime, supporter),
        ...(paidBack ? { transactionId: paidBack } : {}),
        ...(date ? { date: dayOption(String(date)) } : {}),
      };
      const answer = z.object({ transactionId: z.string(), refunded: z.string(), description: z.string() });
      const json = await controlSandbox(runtime.config, '/refunds', body, answer);
      return { json, text: `paid back: ${json.description} (transaction ${json.refunded})` };
    });
}

function bankStatementCommand(sandbox: OpsCommand): void {
  sandbox
    .command('bank-statement')
    .description('the statement of the trust account, as its bank would send it: days that have ended')
    .requiredOption('--out <file>', 'where to write it')
    .option('--format <format>', 'csv or camt053', 'camt053')
    .option('--from <day>', 'YYYY-MM-DD, the beginning by default')
    .option('--to <day>', 'YYYY-MM-DD, yesterday by default')
    .carryOut(async ({ config }, _words, { out, format, from, to }) => {
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

function returnNextCommand(sandbox: OpsCommand): void {
  sandbox
    .command('return-next')
    .description("the supporter's next debit comes back with that code")
    .requiredOption('--supporter <email>')
    .requiredOption('--code <code>', '1 to 9')
    .carryOut(async (runtime, _words, { supporter, code }) => {
      const { email } = await findOneSupporter(runtime, String(supporter));
      await controlSandbox(runtime.config, '/returns', { email, code: Number(code) }, anyAnswer);
      return {
        json: { email, code: Number(code) },
        text: `the next debit of ${email} comes back with code ${String(code)}`,
      };
    });
}

function cancelMandateCommand(sandbox: OpsCommand): void {
  sandbox
    .command('cancel-mandate')
    .description('the supporter cancels the direct debit at their bank, without telling us')
    .requiredOption('--supporter <email>')
    .carryOut(async (runtime, _words, { supporter }) => {
      const { email } = await findOneSupporter(runtime, String(supporter));
      const answer = z.object({ cancelled: z.array(z.string()) });
      const json = await controlSandbox(runtime.config, '/agreements/cancel', { email }, answer);
      return { json, text: `cancelled at the bank: ${json.cancelled.join(', ') || 'nothing was in effect'}` };
    });
}

/** Reads a balance, which may be below zero: -12.34. */
function balanceOption(text: string): string {
  const [sign, amount] = /^[-\u2212]/.test(text) ? ['-', text.slice(1)] : ['', text];
  return `${sign}${dollars(dollarsOption(amount, '--amount'))}`;
}

function balanceCommand(sandbox: OpsCommand): void {
  sandbox
    .command('balance')
    .description("set the supporter's account balance at the bank, until set again")
    .requiredOption('--supporter <email>')
    .option('--amount <dollars>', 'such as 12.34')
    .option('--clear', 'back to the true balance')
    .option('--account <name>', 'the everyday account by default')
    .carryOut(async (runtime, _words, { supporter, amount, clear, account }) => {
      if (Boolean(amount) === Boolean(clear)) throw new CommandProblem('Give either --amount or --clear.');
      const body = {
        userId: await bankCustomerOf(runtime, supporter),
        ...(account ? { account } : {}),
        ...(amount ? { balance: balanceOption(String(amount)) } : {}),
      };
      const answer = z.object({ account: z.string(), balance: z.string().nullable() });
      const json = await controlSandbox(runtime.config, '/balances', body, answer);
      const said = json.balance === null ? 'the truth' : `$${json.balance}`;
      return { json, text: `of ${json.account} the bank says ${said}` };
    });
}

function consentCommand(sandbox: OpsCommand): void {
  sandbox
    .command('consent')
    .description('end the consent at the bank, now or in some days')
    .requiredOption('--supporter <email>')
    .option('--expire')
    .option('--revoke')
    .option('--end-in <days>', 'as if most of its year were over')
    .carryOut(async (runtime, _words, { supporter, expire, revoke, endIn }) => {
      if ([expire, revoke, endIn].filter(Boolean).length !== 1) {
        throw new CommandProblem('Give one of --expire, --revoke and --end-in.');
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

export function sandboxCommands(sandbox: OpsCommand): void {
  purchaseCommand(sandbox);
  refundCommand(sandbox);
  bankStatementCommand(sandbox);
  returnNextCommand(sandbox);
  cancelMandateCommand(sandbox);
  balanceCommand(sandbox);
  consentCommand(sandbox);
  crowdCommand(sandbox);
}

const firstNames = ['Amelia', 'Banjo', 'Clara', 'Dev', 'Esther', 'Farid', 'Grace', 'Huong', 'Isla', 'Jarrah'];
const lastNames = ['Abbott', 'Brennan', 'Costa', 'Dinh', 'Farrugia', 'Gill', 'Hughes', 'Kaur', 'Mercer'];

/** Names a supporter of a crowd; the first ninety have names of their own. */
const nameOf = (number: number) => ({
  firstName: firstNames[number % firstNames.length] ?? '',
  lastName: lastNames[number % lastNames.length] ?? '',
});

/** Ready supporters with a bank each, who cannot sign in: for trying runs with more than a handful of people. */
function crowdCommand(sandbox: OpsCommand): void {
  sandbox
    .command('crowd')
    .description('make ready supporters, each with their own bank; a repeat makes only those missing')
    .requiredOption('--supporters <n>', 'how many')
    .carryOut(async (runtime, _words, { supporters }) => {
      const count = Number(supporters);
      if (!Number.isInteger(count) || count < 1 || count > 10_000) {
        throw new CommandProblem('--supporters takes a whole number from 1 to 10000.');
      }
      const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
      const worker = async () => {
        for (const number of numbers) {
          const email = `crowd-${number}@sparechange.example`;
          await addLockedUser(runtime.db, `crowd-${number}`, email);
          const person = {
            uid: `crowd-${number}`,
            email,
            ...nameOf(number),
            mobile: `04${String(number).padStart(8, '0')}`,
          };
          await makeReadySupporter(runtime, person, String(30_000_000 + number));
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      return { json: { supporters: count }, text: `${counted(count, 'supporter')} ready` };
    });
}
