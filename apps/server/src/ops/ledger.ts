import { CorrectableAccount } from '@sparechange/contract/console';
import { type Cents, formatCents, total } from '@sparechange/domain';
import { listClubReceivables, receivableLines } from '#features/accounting/bookkeeping/club-receivables.ts';
import type { Corrected } from '#features/accounting/bookkeeping/correct-ledger.ts';
import { legsInWords } from '#features/accounting/bookkeeping/correct-or-ask.ts';
import { clubWriteOff, ledgerCorrection } from '#features/accounting/bookkeeping/ledger-acts.ts';
import { type PlatformBooks, readPlatformBooks } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { doOrAsk } from '#runtime/approved-acts.ts';
import { askedAnswer } from './approvals.ts';
import { exportCommand } from './export-ledger.ts';
import { type Answer, CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { dollarsOption } from './read-options.ts';

const column = (value: Cents): string => formatCents(value).padStart(16);

function booksLines({ closedUntil, balances, heldCents, owedCents, shortfalls }: PlatformBooks): string[] {
  const short = total(Object.values(shortfalls));
  return [
    `books closed until ${closedUntil ?? 'no day yet'}`,
    ...Object.entries(balances).map(([account, value]) => `  ${column(value)}  ${account}`),
    `held at the bank ${formatCents(heldCents)} = owed to clubs and supporters ${formatCents(owedCents)} less shortfalls ${formatCents(short)}`,
  ];
}

export function ledgerCommands(ledger: OpsCommand): void {
  correctCommand(ledger);
  writeOffCommand(ledger);
  exportCommand(ledger);
  ledger
    .command('show')
    .description('every account with its balance: payments until the end of the last closed day, corrections until now')
    .carryOut(async ({ db }) => {
      const books = await readPlatformBooks(db);
      const receivables = await listClubReceivables(db);
      const text = [...booksLines(books), ...receivableLines(receivables)].join('\n');
      return { json: { ...books, clubReceivables: receivables }, text };
    });
}

function amountAndReason(amountText: unknown, reasonText: unknown): { amount: Cents; reason: string } {
  const amount = dollarsOption(amountText, 'The amount');
  if (amount === 0) throw new CommandProblem('The amount must be more than 0.');
  const reason = String(reasonText).trim();
  if (!reason) throw new CommandProblem('--reason must say why.');
  return { amount, reason };
}

function answer(corrected: Corrected, id: string, words: string): Answer {
  switch (corrected.result) {
    case 'another':
      throw new CommandProblem(`--id ${id} stands for another correction.`);
    case 'unknown club':
      throw new CommandProblem('There is no such club; `ops clubs list` names them.');
    case 'above limit':
      throw new CommandProblem(`At most ${formatCents(corrected.limitCents)} can be booked.`);
    default:
      return { json: { result: corrected.result }, text: `${corrected.result}: ${words}` };
  }
}

/** Adds `ledger correct`: moves money between accounts or club balances. */
function correctCommand(ledger: OpsCommand): void {
  const accounts = CorrectableAccount.options.join(', ');
  ledger
    .command('correct')
    .description(`move an amount from one account to another, once per id; accounts: ${accounts}`)
    .requiredOption('--id <id>', 'an id of your own; repeating it does nothing')
    .requiredOption('--debit <account>')
    .requiredOption('--credit <account>', 'of owed_to_clubs: more for the club')
    .option('--club <id>', 'with owed_to_clubs: the club whose balance is corrected')
    .requiredOption('--amount <dollars>', 'such as 71.72')
    .requiredOption('--reason <text>', "kept in the books, the audit log and the club's statement")
    .carryOut(async (runtime, _words, options) => {
      const [debit, credit] = [options.debit, options.credit].map((name) =>
        CorrectableAccount.options.find((each) => each === name),
      );
      if (!debit || !credit || debit === credit)
        throw new CommandProblem(`--debit and --credit take two of ${accounts}.`);
      const clubId = typeof options.club === 'string' ? options.club : undefined;
      if ((clubId !== undefined) !== [debit, credit].includes('owed_to_clubs'))
        throw new CommandProblem('--club goes with owed_to_clubs, and only with it.');
      const { amount, reason } = amountAndReason(options.amount, options.reason);
      const id = String(options.id);
      const words = legsInWords({ debit, credit, amount });
      const args = { id, debit, credit, amount, reason, clubId };
      const tried = await doOrAsk(runtime, commandActor(), ledgerCorrection, args, words);
      return 'approval' in tried ? askedAnswer(tried.approval) : answer(tried.result, id, words);
    });
}

/** Adds `ledger write-off`: a club's debt becomes the operator's loss. */
function writeOffCommand(ledger: OpsCommand): void {
  ledger
    .command('write-off <club> <dollars>')
    .description('write off what a club owes, as operator_loss: its next donations are paid in full; once per id')
    .requiredOption('--id <id>', 'an id of your own; repeating it does nothing')
    .requiredOption('--reason <text>', "kept in the books, the audit log and the club's statement")
    .carryOut(async (runtime, [clubId = '', dollars], options) => {
      const { amount, reason } = amountAndReason(dollars, options.reason);
      const id = String(options.id);
      const words = `${formatCents(amount)} owed by the club written off to operator_loss`;
      const tried = await doOrAsk(runtime, commandActor(), clubWriteOff, { id, clubId, amount, reason }, words);
      return 'approval' in tried ? askedAnswer(tried.approval) : answer(tried.result, id, words);
    });
}
