import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ChangedLines } from '@sparechange/contract/console';
import {
  type Cents,
  formatCents,
  fullDay,
  gapInWords,
  nameOfAccount,
  parseDollars,
  sydneyDateTime,
} from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { InvalidInput } from '#errors.ts';
import {
  beginImport,
  listImports,
  type StatementImport,
} from '#features/accounting/bank-statements/import-in-background.ts';
import type { ImportedStatement, ImportProgress } from '#features/accounting/bank-statements/import-statement.ts';
import { lineMatch } from '#features/accounting/bank-statements/line-match-act.ts';
import { handAccounts, lineMatchInWords } from '#features/accounting/bank-statements/match-by-hand.ts';
import { previewStatement } from '#features/accounting/bank-statements/preview-statement.ts';
import {
  countOpenLines,
  findLine,
  type KeptLine,
  listLines,
} from '#features/accounting/bank-statements/statement-line-repository.ts';
import { type TakenBack, takeBackStatement } from '#features/accounting/bank-statements/take-back.ts';
import { doOrAsk } from '#runtime/approved-acts.ts';
import { isUuid } from '#uuid.ts';
import { askedAnswer } from './approvals.ts';
import { CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';
import { previewAnswer } from './preview-answer.ts';

const lineText = ({ account, lineId, bookedOn, cents: amount, description, matchedKind, matchedWith }: KeptLine) =>
  `${bookedOn}  ${formatCents(amount).padStart(14)}  ${matchedKind ? `${matchedKind} ${matchedWith}` : 'OPEN'}  ${account} ${lineId}  ${description}`;

async function readStatement(file: string): Promise<Buffer> {
  return readFile(file).catch((error: Error) => {
    throw new CommandProblem(`${file} cannot be read: ${error.message}`);
  });
}

function changedLinesOf(option: unknown): ChangedLines | undefined {
  if (option === undefined) return undefined;
  const { data } = ChangedLines.safeParse(option);
  if (!data) throw new CommandProblem(`--changed-lines takes ${ChangedLines.options.join(' or ')}.`);
  return data;
}

function acceptedCentsOf(option: unknown): Cents | undefined {
  if (option === undefined) return undefined;
  const amount = parseDollars(String(option));
  if (amount === undefined || amount <= 0)
    throw new CommandProblem('--accept-difference takes the amount that the refusal named, such as 100.00.');
  return amount;
}

/** Returns why nothing was imported, and the option that answers the question. */
function refusalOf({ message, fields = {} }: InvalidInput): string {
  const options = [
    ...(fields.changedLines ? ['--changed-lines same or --changed-lines new'] : []),
    ...(fields.accountInFile ? ['--account with its number'] : []),
    ...(fields.acceptedCents ? ['--accept-difference with that amount, such as 100.00'] : []),
  ];
  const asked = fields.changedLines ?? fields.acceptedCents ?? message;
  const onPage =
    'Or open the file on the console’s page Reconciliation: it asks once which column is which, and keeps the answer for the account.';
  return [
    `Nothing was imported. ${asked}`,
    ...options.map((option) => `Give ${option}.`),
    ...(fields.mapping ? [onPage] : []),
  ].join(' ');
}

/** Imports a file as one of those that the console lists. */
async function importNoted(...begun: Parameters<typeof beginImport>): Promise<ImportedStatement> {
  const { work } = await beginImport(...begun);
  return work;
}

/** Awaits work with a file; a refusal says what to give. */
const orRefuse = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof InvalidInput ? new CommandProblem(refusalOf(error)) : error;
  });

/** Lines from which an import shows its progress, and between two notes of it. */
const linesPerNote = 5_000;

const doneWith: Record<ImportProgress['stage'], string> = { booking: 'read', matching: 'compared with payments' };

/** Prints progress where it disturbs no output. */
async function printProgress({ stage, done, of }: ImportProgress): Promise<void> {
  if (of < linesPerNote || (done % linesPerNote !== 0 && done < of)) return;
  process.stderr.write(`${done.toLocaleString('en-AU')} of ${counted(of, 'line')} ${doneWith[stage]}\n`);
}

function importCommand(parent: OpsCommand): void {
  parent
    .command('import')
    .description('import a statement of the trust account: CSV, camt.053, MT940, OFX or BAI2; known lines are ignored')
    .argument('<file>')
    .option(
      '--account <number>',
      'account number, stored masked; without one, that of the file or of the statements before',
    )
    .option('--new-account', 'a different account from those imported before')
    .option('--changed-lines <same|new>', 'whether lines in doubt are known lines reworded, or new and to be booked')
    .option('--accept-difference <dollars>', 'import though balances differ from the lines by this much')
    .option('--preview', 'print what an import would do, and book nothing')
    .carryOut(
      async (
        { db, clock, encryption },
        [file = ''],
        { account, newAccount, changedLines, acceptDifference, preview },
      ) => {
        const given = {
          account: account ? String(account) : undefined,
          isNew: newAccount === true,
          changedLines: changedLinesOf(changedLines),
          acceptedCents: acceptedCentsOf(acceptDifference),
        };
        const content = await readStatement(file);
        if (preview) return previewAnswer(await orRefuse(previewStatement({ db, clock, encryption }, content, given)));
        const how = { noteProgress: printProgress };
        const json = await orRefuse(importNoted({ db, clock, encryption }, basename(file), content, given, how));
        const gap = json.gapCents === 0 ? '' : `\n${gapInWords(json.gapCents)}`;
        const undo = `\ntake it back by: ops bank-statement take-back ${json.statementId}`;
        const text = `${counted(json.lines, 'line')}, ${json.added} new; ${json.matched} matched, ${json.open} open in suspense${gap}${undo}`;
        return { json, text };
      },
    );
}

const importText = ({ startedAt, fileName, state, result, takeBack }: StatementImport): string => {
  const what = takeBack === 'done' ? 'taken back' : state.replaceAll('_', ' ');
  const lines = result ? `, ${counted(result.lines, 'line')}, ${result.added} new` : '';
  const id = result && takeBack === 'possible' ? `, take back by ${result.statementId}` : '';
  return `${sydneyDateTime(startedAt)}  ${fileName}: ${what}${lines}${id}`;
};

const maxImports = 50;

function importsCommand(parent: OpsCommand): void {
  parent
    .command('imports')
    .description('list the last imports, newest first, with the id by which each can be taken back')
    .carryOut(async ({ db, clock }) => {
      const json = await listImports(db, clock, maxImports);
      return { json, text: json.map(importText).join('\n') || 'nothing was imported in the last 30 days' };
    });
}

const again = ({ fetchedDay }: TakenBack): string =>
  fetchedDay ? `\nthe next night fetches ${fullDay(fetchedDay)} again` : '';

function takeBackCommand(parent: OpsCommand): void {
  parent
    .command('take-back')
    .description('take an import back: its lines, matches and bookings, unless one was matched by hand')
    .argument('<id>', 'as the import or `imports` shows it')
    .carryOut(async ({ db, clock }, [id = '']) => {
      if (!isUuid(id))
        throw new CommandProblem(`${id} is not an id of an import; \`ops bank-statement imports\` lists them.`);
      const json = await takeBackStatement({ db, clock, by: commandActor() }, id);
      return {
        json,
        text: `${counted(json.lines, 'line')} of ${nameOfAccount(json.account)} taken back, ${formatCents(json.cents)} in all${again(json)}`,
      };
    });
}

function listCommand(parent: OpsCommand): void {
  parent
    .command('list')
    .description('list lines of the trust account and their matches, newest first')
    .option('--open', 'only unmatched lines')
    .option('--limit <n>', 'show at most n lines', '200')
    .carryOut(async ({ db }, _words, { open, limit }) => {
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1) throw new CommandProblem('--limit takes a whole number from 1.');
      const lines = await listLines(db, open === true, most);
      const left = await countOpenLines(db);
      const text = [
        ...lines.map(lineText),
        `${counted(left.lines, 'line')} open, ${formatCents(left.cents)} in suspense`,
      ];
      return { json: { lines, open: left }, text: text.join('\n') };
    });
}

function matchCommand(parent: OpsCommand): void {
  parent
    .command('match')
    .description('match an open line by hand')
    .argument('<account>', 'as list shows it')
    .argument('<line>', 'as list shows it')
    .requiredOption('--to <account>', `what it was: ${handAccounts.join(', ')}`)
    .requiredOption('--reason <text>', 'kept in the audit log')
    .carryOut(async (runtime, [account = '', lineId = ''], { to, reason }) => {
      const wanted = handAccounts.find((each) => each === to);
      if (!wanted) throw new CommandProblem(`--to takes one of ${handAccounts.join(', ')}.`);
      const line = await findLine(runtime.db, account, lineId);
      if (!line) throw new CommandProblem(`There is no line ${lineId} of ${account}.`);
      const match = { account, lineId, to: wanted, reason: String(reason) };
      const tried = await doOrAsk(runtime, commandActor(), lineMatch, match, lineMatchInWords(match, line));
      if ('approval' in tried) return askedAnswer(tried.approval);
      const { result } = tried;
      return { json: { result }, text: result };
    });
}

export function bankStatementCommands(parent: OpsCommand): void {
  importCommand(parent);
  importsCommand(parent);
  takeBackCommand(parent);
  listCommand(parent);
  matchCommand(parent);
}
