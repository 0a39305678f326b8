import { userInfo } from 'node:os';
import { maskAccountNumber } from '@sparechange/domain';
import { type AuditEntry, operatorsChain } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { findSupporterIdByEmail } from '#features/supporters/profiles/supporter-repository.ts';
import { holdsMailAddress } from '#mail-address-in-text.ts';
import { isUuid, uuidForm } from '#uuid.ts';

export interface CommandLine {
  /** As in `supporter show`. */
  name: string;
  words: string;
  options: Record<string, string | boolean | undefined>;
}

/** Mobile numbers of Australia, however they are spaced; ids are matched first, since their digits may look like one. */
const idOrMobile = new RegExp(
  String.raw`${uuidForm}|(?<!\d{4}-(?:\d{2}-)?)(?:(?:\+|00)?61[\s.-]?(?:\(0\)[\s.-]?)?|\(?0)4\)?(?:[\s.-]?\d){8}(?!\d)`,
  'gi',
);
/** Options that take the number of a bank account, and how one is written. */
const accountOptions = new Set(['account', 'accountNumber']);
const accountNumber = /^[\d\s-]{5,40}$/;
/** Characters that stand around no address. */
const word = /[^\s<>,;"']+/g;

/**
 * Writes a command as an entry of the operators' chain, which is kept for ever: supporters by reference, without
 * email addresses and mobile numbers, accounts masked (docs/decisions/nightly-audit.md#entries-of-commands).
 */
export async function commandEntry(
  db: Pool,
  at: Date,
  by: string,
  { name, words, options }: CommandLine,
): Promise<AuditEntry> {
  const details: NonNullable<AuditEntry['details']> = {};
  for (const [key, value] of Object.entries({ ...options, words })) {
    if (accountOptions.has(key) && typeof value === 'string' && accountNumber.test(value))
      details[key] = maskAccountNumber(value.replace(/\D/g, ''));
    else if (value !== undefined) details[key] = typeof value === 'string' ? await withoutAddresses(db, value) : value;
  }
  return { supporterId: operatorsChain, at, actor: 'operator', action: `ops ${name}`, details: { ...details, by } };
}

async function withoutAddresses(db: Pool, text: string): Promise<string> {
  let replaced = text;
  for (const found of (text.match(word) ?? []).filter(holdsMailAddress)) {
    const id = await findIfAnswered(db, found);
    replaced = replaced.replace(found, () => (id ? `supporter ${id}` : '(address)'));
  }
  return replaced.replace(idOrMobile, (found) => (isUuid(found) ? found : '(number)'));
}

/** Finds nobody while a server does not answer: a command's act is noted even without its supporter. */
async function findIfAnswered(db: Pool, email: string): Promise<string | undefined> {
  try {
    return await findSupporterIdByEmail(db, email);
  } catch (error) {
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
}

/** Returns the person behind the operating-system user. Only root's word on who used sudo counts: others can set it at will. */
export const personName = (sudoUser: string | undefined, isRoot = process.getuid?.() === 0): string =>
  (isRoot && sudoUser) || systemUser();

/** Returns the operating-system user, and who became it by sudo. */
export function operatorName(sudoUser: string | undefined): string {
  const name = systemUser();
  return sudoUser && sudoUser !== name ? `${name}, sudo by ${sudoUser}` : name;
}

/** In a container a user may have no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
