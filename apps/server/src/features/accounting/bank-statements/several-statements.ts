import type { IsoDate } from '@sparechange/domain';
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

/**
 * Joins the statements of one account. Throws StatementProblem if they are of several accounts, or if lines do not lead
 * from the opening to the closing balance of each and of all.
 */
export function joinStatements(read: readonly OneStatement[]): StatementFile {
  const statements = inOrder(read);
  const [first, last] = [statements[0], statements.at(-1)];
  const accounts = new Map(statements.map(({ account = '' }) => [spelled(account), account]));
  if (accounts.size > 1)
    throw new StatementProblem('The file holds statements of several accounts; import them apart.');
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
