import { NotAllowed, NotFound } from '#errors.ts';
import type { SingleSignOn } from '#ports/single-sign-on.ts';
import { keepChallenge, takeChallenge } from './challenge-repository.ts';
import { findOperatorByEmail } from './operator-repository.ts';
import { type BrowserSession, type NewSession, type SignInDeps, signIn } from './sign-in.ts';

export interface SingleSignOnDeps extends SignInDeps {
  /** Absent unless the organisation has configured one. */
  singleSignOn?: SingleSignOn | undefined;
}

const returnAddress = (consoleUrl: URL): URL => new URL('/console/signed-in', consoleUrl);

/** Returns the address where the browser signs in, and the id of the challenge that it keeps until it returns. */
export async function beginSingleSignOn(
  { db, consoleUrl, singleSignOn }: SingleSignOnDeps,
  isFresh: boolean,
): Promise<{ challengeId: string; url: string }> {
  if (!singleSignOn) throw new NotFound('The sign-in');
  const { url, kept } = await singleSignOn.begin(returnAddress(consoleUrl), isFresh);
  return { challengeId: await keepChallenge(db, 'openid', null, kept), url: url.href };
}

/** Signs in the invited person with the verified address; throws NotAllowed for everybody else. */
export async function finishSingleSignOn(
  deps: SingleSignOnDeps,
  { challengeId, query }: { challengeId: string; query: string },
  replaced?: BrowserSession,
): Promise<NewSession> {
  const { db, consoleUrl, singleSignOn } = deps;
  const kept = await takeChallenge(db, 'openid', null, challengeId);
  if (!kept || !singleSignOn) throw new NotAllowed('This took too long. Please sign in again.');
  const returnedTo = returnAddress(consoleUrl);
  returnedTo.search = query;
  const proven = await singleSignOn.finish(returnedTo, kept);
  if (!proven) throw new NotAllowed(`${singleSignOn.name} did not say who you are. Please sign in again.`);
  const operator = await findOperatorByEmail(db, proven.email);
  if (!operator || operator.status === 'removed' || operator.roles.length === 0)
    throw new NotAllowed(`No one with the address ${proven.email} is invited here.`);
  return db.begin((tx) => signIn(tx, deps, operator.id, 'openid', replaced, proven.provenAt));
}
