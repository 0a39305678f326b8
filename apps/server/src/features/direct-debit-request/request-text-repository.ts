import type { Db } from '#db/connect.ts';
import type { RequestText } from './request-text.ts';

/** Keeps a wording once, however many agree to it. */
export async function keepRequestText(db: Db, { hash, version, content }: RequestText, at: Date): Promise<void> {
  await db`
    insert into direct_debit_texts (hash, version, content, kept_at) values (${hash}, ${version}, ${content}, ${at})
    on conflict do nothing`;
}

/** Finds a hash's wording; undefined if none is kept. */
export async function findRequestText(db: Db, hash: string): Promise<RequestText | undefined> {
  const [text] = await db<RequestText[]>`
    select hash, version, content from direct_debit_texts where hash = ${hash}`;
  return text;
}
