import { createHash } from 'node:crypto';
import type { Db } from '#db/connect.ts';

interface Upload {
  /** The tenant's, which begins the name. */
  key: string;
  kind: PictureKind;
  content: Buffer;
  operatorId: string;
}

export type PictureKind = 'svg' | 'png' | 'jpg';

/**
 * Keeps an uploaded logo or picture under a name of its own content, and returns the name. What was uploaded a week ago and
 * is in no version, draft or club is dropped.
 */
export async function savePicture(db: Db, { key, kind, content, operatorId }: Upload): Promise<string> {
  const name = `${key}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${kind}`;
  const unused = await db<{ name: string }[]>`
    select name from tenant_pictures picture
    where uploaded_at < now() - interval '7 days' and name <> ${name}
      and not exists (select from tenant_versions where position(picture.name in settings::text) > 0)
      and not exists (select from tenant_drafts where position(picture.name in settings::text) > 0)
      and not exists (select from clubs where picture.name in (clubs.logo, clubs.picture))`;
  if (unused.length > 0)
    await db`
      delete from tenant_pictures
      where name = any(${unused.map((each) => each.name)}::text[]) and uploaded_at < now() - interval '7 days'`; // leaves what was uploaded again since
  await db`
    insert into tenant_pictures (name, content, uploaded_by) values (${name}, ${content}, ${operatorId})
    on conflict (name) do update set uploaded_at = excluded.uploaded_at, uploaded_by = excluded.uploaded_by`;
  return name;
}

const nameOfUpload = /^[\w.-]+-[0-9a-f]{12}\.(svg|png|jpg)$/;

export async function findPicture(db: Db, name: string): Promise<Buffer | undefined> {
  if (!nameOfUpload.test(name)) return undefined;
  const [found] = await db<{ content: Buffer }[]>`select content from tenant_pictures where name = ${name}`;
  return found?.content;
}
