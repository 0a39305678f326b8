import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { forgetChallenges, keepChallenge, takeChallenge } from './challenge-repository.ts';
import { lockOperator, type OperatorRow } from './operator-repository.ts';

/** Loaded with the first passkey, so that no start waits for it. */
const webAuthn = () => import('@simplewebauthn/server');

/** The console's own site, to which passkeys are bound. */
const siteOf = (consoleUrl: URL) => ({ expectedOrigin: consoleUrl.origin, expectedRPID: consoleUrl.hostname });

interface Passkey {
  id: string;
  operatorId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

export interface ListedPasskey {
  id: string;
  name: string;
  addedAt: Date;
  lastUsedAt: Date | null;
}

/** Lists a person's passkeys, oldest first. */
export function listPasskeys(db: Db, operatorId: string): Promise<ListedPasskey[]> {
  return db<ListedPasskey[]>`
    select id, name, added_at as "addedAt", last_used_at as "lastUsedAt" from operator_passkeys
    where operator_id = ${operatorId} order by added_at, id`;
}

/** Issues a challenge for signing in, and its options for the browser. */
export async function beginPasskeySignIn(db: Db, consoleUrl: URL) {
  const options = await (await webAuthn()).generateAuthenticationOptions({
    rpID: consoleUrl.hostname,
    userVerification: 'required',
  });
  return { challengeId: await keepChallenge(db, 'sign_in', null, options.challenge), options: { ...options } };
}

/** Returns the id of the person whose passkey signed the challenge; undefined if it is unknown or does not verify. */
export async function checkPasskey(
  db: Db,
  consoleUrl: URL,
  { challengeId, credential }: { challengeId: string; credential: AuthenticationResponseJSON },
): Promise<string | undefined> {
  const expectedChallenge = await takeChallenge(db, 'sign_in', null, challengeId);
  const [passkey] = await db<Passkey[]>`
    select id, operator_id as "operatorId", public_key as "publicKey", counter::float8 as counter, transports
    from operator_passkeys where id = ${credential.id}`;
  if (!expectedChallenge || !passkey) return undefined;
  const known = {
    id: passkey.id,
    publicKey: new Uint8Array(passkey.publicKey),
    counter: passkey.counter,
    transports: passkey.transports as AuthenticatorTransport[],
  };
  const site = siteOf(consoleUrl);
  const { verifyAuthenticationResponse } = await webAuthn();
  const verification = await verifyAuthenticationResponse({
    ...site,
    response: credential,
    expectedChallenge,
    credential: known,
  }).catch(() => undefined); // its errors mean that the input cannot be read
  if (!verification?.verified) return undefined;
  const { newCounter } = verification.authenticationInfo;
  await db`update operator_passkeys set counter = ${newCounter}, last_used_at = now() where id = ${passkey.id}`;
  return passkey.operatorId;
}

/**
 * Issues a challenge for a new passkey, and its options for the browser. The previous one is void: a device replaces
 * its first passkey with the last, so that the first would be stored here and known to no device.
 */
export async function beginPasskey(db: Db, consoleUrl: URL, operator: OperatorRow) {
  await forgetChallenges(db, 'passkey', operator.id);
  const known = await db<{ id: string }[]>`select id from operator_passkeys where operator_id = ${operator.id}`;
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: 'Sparechange console',
    rpID: consoleUrl.hostname,
    userName: operator.email,
    userDisplayName: operator.name,
    userID: new TextEncoder().encode(operator.id),
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { challengeId: await keepChallenge(db, 'passkey', operator.id, options.challenge), options: { ...options } };
}

const maxPasskeys = 20;

/**
 * Checks a new passkey and returns the function that adds it in a transaction. Throws InvalidInput if it does not
 * answer the challenge, and Conflict if the person has `maxPasskeys` or the passkey is in use.
 */
export async function checkNewPasskey(
  db: Db,
  consoleUrl: URL,
  operator: OperatorRow,
  { challengeId, name, credential }: { challengeId: string; name: string; credential: RegistrationResponseJSON },
): Promise<(tx: Db) => Promise<void>> {
  if (operator.passkeys >= maxPasskeys) throw new Conflict(`There are ${maxPasskeys} passkeys; please remove one.`);
  const expectedChallenge = await takeChallenge(db, 'passkey', operator.id, challengeId);
  if (!expectedChallenge) throw new InvalidInput('This took too long, or was begun again. Please try again.');
  const site = siteOf(consoleUrl);
  const { verifyRegistrationResponse } = await webAuthn();
  const verification = await verifyRegistrationResponse({ ...site, response: credential, expectedChallenge }).catch(
    () => undefined,
  );
  if (!verification?.verified) throw new InvalidInput('The passkey could not be read. Please try again.');
  const { id, publicKey, counter, transports } = verification.registrationInfo.credential;
  return async (tx) => {
    const added = await tx`
      insert into operator_passkeys (id, operator_id, name, public_key, counter, transports)
      values (${id}, ${operator.id}, ${name}, ${Buffer.from(publicKey)}, ${counter}, ${transports ?? []})
      on conflict do nothing`;
    if (added.count === 0) throw new Conflict('This passkey is already in use.');
  };
}

/** Removes a passkey. Throws Conflict for the only way to sign in, and NotFound. */
export function removePasskey(db: Pool, operatorId: string, id: string): Promise<void> {
  return db.begin(async (tx) => {
    const operator = await lockOperator(tx, operatorId);
    if (operator?.passkeys === 1 && !operator.hasPassword)
      throw new Conflict('This is your only way to sign in. Please add another one first.');
    const removed = await tx`delete from operator_passkeys where id = ${id} and operator_id = ${operatorId}`;
    if (removed.count === 0) throw new NotFound('The passkey');
  });
}
