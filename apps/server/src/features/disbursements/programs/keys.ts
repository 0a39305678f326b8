import { maxKeyDays, maxKeyOverlapHours, scopesInWords } from '@sparechange/contract/console';
import type { KeyScope } from '@sparechange/contract/programs';
import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import type { ProgramKey } from '#caller.ts';
import type { Db, Pool } from '#db/connect.ts';
import { InvalidInput, NotFound } from '#errors.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import { refuseRequestsOf, type WhyRefused } from '#features/core/approvals/approve.ts';
import type { Clock } from '#ports/clock.ts';
import { type ApiKey, endKey, findKey, insertKey, recordUse, replaceSecret } from './key-repository.ts';
import { hashOfKey, idOfKey, isSameHash, newKeyId, newKeyText } from './key-text.ts';

/** The act that gives a key another secret. */
export const rotationName = 'api_key_rotation';

export interface KeyDeps {
  db: Pool;
  clock: Clock;
}

/** A key that is shown once. */
export interface ShownKey {
  id: string;
  text: string;
  expiresAt: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;
const maxNameLength = 80;

/** Returns the instant this number of days from now; throws InvalidInput for less than 1 or more than `maxKeyDays`. */
function expiryOf(now: Date, days: number): Date {
  if (!Number.isInteger(days) || days < 1 || days > maxKeyDays)
    throw new InvalidInput(`A key is valid for 1 to ${maxKeyDays} days.`, { days: `1 to ${maxKeyDays}` });
  return new Date(now.getTime() + days * dayMs);
}

export interface KeyRequest {
  name: string;
  scopes: KeyScope[];
  /** Restricts it to a club and those under it. */
  clubId?: string | undefined;
  days: number;
}

/** Describes the requested key. */
export const keyInWords = ({ name, scopes }: Pick<KeyRequest, 'name' | 'scopes'>): string =>
  `API key ${name} that may ${scopesInWords(scopes)}`;

/** Records further facts in the transaction that changes a key. */
type AlsoRecord = (tx: Db) => Promise<void>;
const nothingElse: AlsoRecord = async () => {};

/** Creates a key, whose text is in this answer alone. */
export async function createKey(
  { db, clock }: KeyDeps,
  { name, scopes, clubId, days }: KeyRequest,
  by: Actor,
  alsoRecord = nothingElse,
): Promise<ShownKey> {
  const now = clock.now();
  const expiresAt = expiryOf(now, days);
  if (name.trim() === '' || name.length > maxNameLength)
    throw new InvalidInput(`A key has a name of at most ${maxNameLength} characters.`, { name: 'missing or too long' });
  if (scopes.length === 0) throw new InvalidInput('A key has at least one scope.', { scopes: 'missing' });
  const club = clubId === undefined ? undefined : await findClub(db, clubId.toLowerCase());
  if (clubId !== undefined && !club) throw new NotFound('The club');
  const id = newKeyId();
  const text = newKeyText(id);
  const key = { id, name: name.trim(), scopes: [...new Set(scopes)], clubId: club?.id ?? null };
  await db.begin(async (tx) => {
    await insertKey(tx, { ...key, hash: hashOfKey(text), createdAt: now, expiresAt });
    const details = { key: id, name: key.name, scopes: key.scopes.join(' '), club: key.clubId };
    await appendOperatorsAct(tx, { at: now, by, action: 'api key created', details });
    await alsoRecord(tx);
  });
  return { id, text, expiresAt };
}

/**
 * Renews a key's secret and days; the former secret stays valid for some hours, so that programs can change over. Other
 * requests for a new secret are refused: a second rotation would end the overlap.
 */
export async function rotateKey(
  { db, clock }: KeyDeps,
  { id, days, overlapHours }: { id: string; days: number; overlapHours: number },
  by: Actor,
  alsoRecord = nothingElse,
): Promise<ShownKey> {
  const now = clock.now();
  const expiresAt = expiryOf(now, days);
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > maxKeyOverlapHours)
    throw new InvalidInput(`The former secret is valid for 0 to ${maxKeyOverlapHours} hours more.`, {
      overlapHours: 'out of range',
    });
  const text = newKeyText(id);
  await db.begin(async (tx) => {
    const overlapEnd = new Date(now.getTime() + overlapHours * hourMs);
    const key = await replaceSecret(tx, { id, hash: hashOfKey(text), expiresAt, formerUntil: overlapEnd, now });
    if (!key) throw new NotFound(`A valid key ${id}`);
    await appendOperatorsAct(tx, {
      at: now,
      by,
      action: 'api key rotated',
      details: { key: id, name: key.name, formerUntil: key.formerUntil.toISOString() },
    });
    await alsoRecord(tx);
    await refuseRotations(tx, id, { by, at: now, because: 'The key has since been given another secret.' });
  });
  return { id, text, expiresAt };
}

/** Refuses requests about a secret the key no longer has. */
const refuseRotations = (tx: Db, id: string, why: WhyRefused): Promise<void> =>
  refuseRequestsOf(tx, rotationName, why, { id });

/** Ends a key immediately, its former secret too, and refuses requests for a new one; returns its name. */
export function revokeKey({ db, clock }: KeyDeps, id: string, by: Actor): Promise<string> {
  const now = clock.now();
  return db.begin(async (tx) => {
    const name = await endKey(tx, id, now);
    if (name === undefined) throw new NotFound(`A key ${id} that is not revoked`);
    await appendOperatorsAct(tx, { at: now, by, action: 'api key revoked', details: { key: id, name } });
    await refuseRotations(tx, id, { by, at: now, because: 'The key was revoked.' });
    return name;
  });
}

/** Returns true for a key whose secret can be rotated. */
export const isValidKey = ({ revokedAt, expiresAt }: ApiKey, now: Date): boolean => !revokedAt && expiresAt > now;

/** Returns the valid key with this text, and records its use at most once a minute. */
export async function verifyKey({ db, clock }: KeyDeps, text: string): Promise<ProgramKey | undefined> {
  const id = idOfKey(text);
  const key = id === undefined ? undefined : await findKey(db, id);
  if (!key || key.revokedAt) return undefined;
  const now = clock.now();
  const hash = hashOfKey(text);
  const isCurrent = isSameHash(hash, key.hash) && key.expiresAt > now;
  const isFormer =
    key.formerHash !== null && isSameHash(hash, key.formerHash) && key.formerUntil !== null && key.formerUntil > now;
  if (!isCurrent && !isFormer) return undefined;
  if (!key.usedAt || Math.abs(now.getTime() - key.usedAt.getTime()) >= minuteMs) await recordUse(db, key.id, now);
  return { id: key.id, scopes: key.scopes, clubId: key.clubId };
}
