import { type IsoDate, maskAccountNumber } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { type DaysOfFile, daysOf } from './statement-balance.ts';
import { checkAmounts, checkBalances, type StatementFile, StatementProblem } from './statement-file.ts';

/** One of the statements in a file. */
export interface OneStatement extends StatementFile {
  /** Name of the statement, such as "statement 2", if the file holds several. */
  where: string;
  /** Its first day, or '' if it states none. */
  from: IsoDate | '';
}

/** Names a position in a file of one statement or several, such as "statement 2, entry 1". */
export const placed = (...places: string[]): string => places.filter(Boolean).join(', ');

/** Normalises a number's spelling: 062-000 123456789 and 062000123456789 are one. */
const spelled = (account: string): string => account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();

/** Sorts statements by their days, as some banks list the newest first, or else by their balances. */
function inOrder(statements: readonly OneStatement[]): OneStatement[] {
  const follows = (ordered: readonly OneStatement[]): boolean =>
    ordered.every(({ openingCents }, place) => {
      const before = ordered[place - 1]?.closingCents;
      return before === undefined || openingCents === undefined || before === openingCents;
    });
  const byDay = statements.toSorted((one, other) => one.from.localeCompare(other.from));
  return [byDay, [...statements], statements.toReversed()].find(follows) ?? byDay;
}

/** An account of a file that has several. */
export interface AccountInFile extends Pick<DaysOfFile, 'firstDay' | 'lastDay'> {
  number: string;
  lines: number;
}

const listed = ({ number, lines }: AccountInFile): string =>
  `${number ? maskAccountNumber(number.replace(/\D/g, '') || number) : 'one without a number'} (${counted(lines, 'line')})`;

const maxListed = 20;

/** Thrown for a file of several accounts, of which one is ours. */
export class AccountQuestion extends StatementProblem {
  readonly accounts: readonly AccountInFile[];

  constructor(accounts: readonly AccountInFile[]) {
    const more = accounts.length > maxListed ? ` and ${accounts.length - maxListed} more` : '';
    const words = `The file holds statements of several accounts: ${accounts.slice(0, maxListed).map(listed).join(', ')}${more}. Please say which one is ours.`;
    super(words, { accountInFile: words });
    this.accounts = accounts;
  }
}

/** Returns the statements of the account at a place, from 1. Throws AccountQuestion if there are several and none is chosen. */
function ofOneAccount(read: readonly OneStatement[], place: number | undefined): readonly OneStatement[] {
  const byAccount = [...Map.groupBy(read, ({ account = '' }) => spelled(account)).values()];
  if (byAccount.length <= 1) return read;
  const chosen = place === undefined ? undefined : byAccount[place - 1];
  if (chosen) return chosen;
  throw new AccountQuestion(
    byAccount.map((statements) => {
      const lines = statements.flatMap((each) => each.lines);
      return { number: statements[0]?.account ?? '', lines: lines.length, ...daysOf(lines) };
    }),
  );
}

/**
 * Joins the statements of one account, the one at a place if the file has several. Throws StatementProblem if lines do
 * not lead from the opening to the closing balance of each and of all.
 */
export function joinStatements(read: readonly OneStatement[], place?: number): StatementFile {
  const statements = inOrder(ofOneAccount(read, place));
  const [first, last] = [statements[0], statements.at(-1)];
  const file: StatementFile = {
    account: first?.account ?? '',
    ...(first?.openingCents === undefined ? {} : { openingCents: first.openingCents }),
    ...(last?.closingCents === undefined ? {} : { closingCents: last.closingCents }),
    ...(last?.closingOn === undefined ? {} : { closingOn: last.closingOn }),
    lines: statements.flatMap(({ lines }) => lines),
  };
  checkAmounts(file);
  for (const statement of statements)
    checkBalances(statement, statement.where ? `${statement.where}: the lines` : undefined);
  checkBalances(file, 'The lines of all statements');
  return file;
}
