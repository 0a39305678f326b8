import { type Cents, formatCents, longDay, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { isOnNodes } from '#db/silent-nodes.ts';
import type { Looking } from '#features/core/approvals/define-act.ts';
import { findSupporter } from '#features/supporters/profiles/supporter-repository.ts';

/** Reads words about a supporter; where their server does not answer, the words say so. */
export async function wordsAbout(
  { db, silentServers = [] }: Looking,
  supporterId: string,
  read: (bucket: Db) => Promise<string>,
): Promise<string> {
  const notRead = 'not read: the database server of this supporter does not answer';
  const bucket = db.of(supporterId);
  if (silentServers.length > 0 && isOnNodes(db, bucket, silentServers)) return notRead;
  try {
    return await read(bucket);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return notRead;
    throw error;
  }
}

const masked = (text: string) => `${text.slice(0, 1)}…`;

export async function supporterWords(bucket: Db, id: string, maySeeSupporters: boolean): Promise<string> {
  const supporter = await findSupporter(bucket, id);
  if (!supporter) return 'not known';
  const { firstName, lastName, email } = supporter;
  if (maySeeSupporters) return `${firstName} ${lastName}, ${email}`;
  return `${masked(firstName)} ${masked(lastName)}, ${masked(email)}${email.slice(email.indexOf('@'))}`;
}

export async function debitWords(bucket: Db, supporterId: string, id: string): Promise<string> {
  const [debit] = await bucket<{ reference: string; kind: string; amount: Cents; plannedAt: Date }[]>`
    select reference, kind, amount_cents as amount, planned_at as "plannedAt" from debits
    where supporter_id = ${supporterId} and id = ${id}`;
  if (!debit) return 'not known';
  return `${debit.kind} ${debit.reference} of ${formatCents(debit.amount)}, ${longDay(sydneyDay(debit.plannedAt))}`;
}
