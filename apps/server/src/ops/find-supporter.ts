import { searchSupporters } from '#features/supporters/search-supporters.ts';
import { findSupporter, findSupporterIdByEmail, type Supporter } from '#features/supporters/supporter-repository.ts';
import type { Runtime } from '#runtime/compose.ts';
import { CommandProblem } from './operate.ts';

/** For a command's help: what stands for one supporter. */
export const supporterWords = 'by e-mail address, mobile number, or the reference on a bank statement';

/**
 * The one supporter with that address, mobile number or bank statement's reference, or one sentence that there is none. A
 * name is not enough for what changes something.
 */
export async function supporterByEmail({ db }: Runtime, text: string): Promise<Supporter> {
  const id = text.includes('@') ? await findSupporterIdByEmail(db, text) : await onlyOne(db, text);
  const supporter = id ? await findSupporter(db, id) : undefined;
  if (!supporter) throw new CommandProblem(`There is no supporter with the address ${text}.`);
  return supporter;
}

async function onlyOne(db: Runtime['db'], text: string): Promise<string> {
  const { by, supporters, leftOut } = await searchSupporters(db, text, 5);
  const [found, another] = supporters;
  if (by === 'name' || another) {
    const emails = supporters.map(({ email }) => email).join(', ');
    const found = supporters.length === 0 ? 'nobody' : `${emails}${leftOut > 0 ? ` and ${leftOut} more` : ''}`;
    throw new CommandProblem(`${text} does not name one supporter: ${found}. See: npm run -s ops -- supporter find`);
  }
  if (!found) throw new CommandProblem(`There is no supporter with the ${by} ${text}.`);
  return found.supporterId;
}
