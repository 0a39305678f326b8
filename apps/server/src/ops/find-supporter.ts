import { searchSupporters } from '#features/supporters/profiles/search-supporters.ts';
import {
  findSupporter,
  findSupporterIdByEmail,
  type Supporter,
} from '#features/supporters/profiles/supporter-repository.ts';
import type { Runtime } from '#runtime/compose.ts';
import { isUuid } from '#uuid.ts';
import { CommandProblem } from './operate.ts';

/**
 * Finds the one supporter with that address, mobile number, id or bank statement's reference, and the product over the
 * tables of their bucket; throws CommandProblem otherwise. A name is not enough for what changes something.
 */
export async function findOneSupporter(whole: Runtime, query: string): Promise<Supporter & { runtime: Runtime }> {
  const id = await idOf(whole.db, query);
  const runtime = id ? { ...whole, db: whole.db.of(id) } : whole;
  const supporter = id ? await findSupporter(runtime.db, id) : undefined;
  if (!supporter)
    throw new CommandProblem(`There is no supporter with the ${isUuid(query) ? 'id' : 'address'} ${query}.`);
  return { ...supporter, runtime };
}

function idOf(db: Runtime['db'], text: string): Promise<string | undefined> | string {
  if (isUuid(text)) return text.toLowerCase();
  return text.includes('@') ? findSupporterIdByEmail(db, text) : onlyOne(db, text);
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
