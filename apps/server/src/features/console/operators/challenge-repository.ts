import type { Db } from '#db/connect.ts';

export type ChallengePurpose = 'sign_in' | 'passkey' | 'password' | 'openid';

/** Stores a challenge that a browser has ten minutes to answer, and returns its id. */
export async function keepChallenge(
  db: Db,
  purpose: ChallengePurpose,
  operatorId: string | null,
  challenge: string,
): Promise<string> {
  await db`delete from operator_challenges where expires_at < now()`;
  const [kept] = await db<{ id: string }[]>`
    insert into operator_challenges (operator_id, purpose, challenge, expires_at)
    values (${operatorId}, ${purpose}, ${challenge}, now() + interval '10 minutes') returning id`;
  return kept?.id ?? '';
}

/** Withdraws a person's unanswered challenges. */
export async function forgetChallenges(db: Db, purpose: ChallengePurpose, operatorId: string): Promise<void> {
  await db`delete from operator_challenges where operator_id = ${operatorId} and purpose = ${purpose}`;
}

/** Takes a challenge, which is answered once at most, rightly or wrongly. */
export async function takeChallenge(
  db: Db,
  purpose: ChallengePurpose,
  operatorId: string | null,
  id: string,
): Promise<string | undefined> {
  const [taken] = await db<{ challenge: string }[]>`
    delete from operator_challenges
    where id = ${id} and purpose = ${purpose} and operator_id is not distinct from ${operatorId} and expires_at > now()
    returning challenge`;
  return taken?.challenge;
}

/** Reads a challenge that may be answered again, such as a mistyped code. */
export async function findChallenge(
  db: Db,
  purpose: ChallengePurpose,
  operatorId: string,
  id: string,
): Promise<string | undefined> {
  const [found] = await db<{ challenge: string }[]>`
    select challenge from operator_challenges
    where id = ${id} and purpose = ${purpose} and operator_id = ${operatorId} and expires_at > now()`;
  return found?.challenge;
}
