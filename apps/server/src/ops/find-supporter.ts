import { findSupporter, findSupporterIdByEmail, type Supporter } from '#features/supporters/supporter-repository.ts';
import type { Runtime } from '#runtime/compose.ts';
import { CommandProblem } from './operate.ts';

const isReference = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the supporter with that address, or that id as the audit log names it. Throws CommandProblem if there is none. */
export async function supporterByEmail({ db }: Runtime, email: string): Promise<Supporter> {
  const id = isReference.test(email) ? email : await findSupporterIdByEmail(db, email);
  const supporter = id ? await findSupporter(db, id) : undefined;
  if (!supporter) throw new CommandProblem(`There is no supporter with the address ${email}.`);
  return supporter;
}
