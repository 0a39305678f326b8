import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { directDebitSentence } from '@sparechange/contract';
import type { Db, Pool } from '#db/connect.ts';
import type { Tenant } from '#tenants/load-tenants.ts';

/** An agreed wording. */
export interface RequestText {
  /** SHA-256 of the content, in hex. */
  hash: string;
  version: string;
  /** Plain text, with one line per paragraph or list item. */
  content: string;
}

export type TermsOfTenant = Pick<Tenant, 'key' | 'directDebitTermsURL'>;

const defaultPage = new URL('../../../../../web/public/pages/direct-debit-terms.html', import.meta.url);

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' };

/** Returns a page's main text, a line for each block. */
export function plainTextOf(html: string): string {
  const [, start] = html.split(/<main\b[^<>]*>/);
  const end = start?.lastIndexOf('</main>') ?? -1;
  if (start === undefined || end < 0) throw new Error('The page of the direct debit terms has no main part.');
  return start
    .slice(0, end)
    .replace(/\s+/g, ' ')
    .replace(/<li\b[^<>]*>/g, '\n- ')
    .replace(/<(?:h\d|p)\b[^<>]*>/g, '\n')
    .replace(/<[^<>]+>/g, '')
    .replace(/&\w+;/g, (entity) => characters[entity] ?? entity)
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Reads "Version of 21 November 2026" as `2026-11-21`. */
function versionOf(text: string): string {
  const [, day] = /^Version of (\d{1,2} [A-Z][a-z]+ \d{4})$/m.exec(text) ?? [];
  if (day === undefined) throw new Error('The page of the direct debit terms names no version.');
  return new Date(`${day} UTC`).toISOString().slice(0, 10);
}

const sentence = `On the screen: "${directDebitSentence.words} ${directDebitSentence.link}."`;
const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

function defaultText(): RequestText {
  const terms = plainTextOf(readFileSync(defaultPage, 'utf8'));
  const content = `${sentence}\nThe terms it links to:\n${terms}`;
  return { hash: hashOf(content), version: versionOf(terms), content };
}

/** Read once, so that an unreadable page prevents the start. */
const textOfDefaultPage = defaultText();

/**
 * Composes the text shown to a tenant's supporters when they choose an account: our sentence, and the terms it links
 * to.
 */
export function requestTextOf({ directDebitTermsURL }: TermsOfTenant): RequestText {
  if (!directDebitTermsURL) return textOfDefaultPage;
  const content = `${sentence}\nThe terms it links to: ${directDebitTermsURL}`;
  const hash = hashOf(content);
  return { hash, version: `linked-${hash.slice(0, 12)}`, content };
}

/** Stores a wording once, however many agree to it: in control, and with the supporter. */
export async function keepRequestText(db: Pool, text: RequestText, at: Date): Promise<void> {
  for (const home of new Set([db.inControl(), db])) {
    if (await findRequestText(home, text.hash)) continue;
    await addRequestText(home, text, at).catch((error: unknown) => {
      if (!isKeptAlready(error)) throw error;
    });
  }
}

/** True for unique_violation: another supporter agreed to the wording at the same moment. */
const isKeptAlready = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

/** Adds a wording. Without `on conflict`, for which Citus requires the right to update, which nobody has. */
const addRequestText = (db: Db, { hash, version, content }: RequestText, at: Date) => db`
  insert into direct_debit_texts (hash, version, content, kept_at) values (${hash}, ${version}, ${content}, ${at})`;

/** Finds a hash's wording; undefined if none is stored. */
export async function findRequestText(db: Db, hash: string): Promise<RequestText | undefined> {
  const [text] = await db<RequestText[]>`
    select hash, version, content from direct_debit_texts where hash = ${hash}`;
  return text;
}
