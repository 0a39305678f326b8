import { findSupporter, findSupporterIdByEmail, type Supporter } from '#features/supporters/supporter-repository.ts';
import type { Runtime } from '#runtime/compose.ts';
import { CommandProblem } from './operate.ts';

/** The supporter with that address, or one sentence that there is none. */
export async function supporterByEmail({ db }: Runtime, email: string): Promise<Supporter> {
  const id = await findSupporterIdByEmail(db, email);
  const supporter = id ? await findSupporter(db, id) : undefined;
  if (!supporter) throw new CommandProblem(`There is no supporter with the address ${email}.`);
  return supporter;
}
