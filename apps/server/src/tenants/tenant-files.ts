import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Db } from '#db/connect.ts';
import { findPicture } from './picture-repository.ts';
import { rememberPictures } from './remember-pictures.ts';

/** Logos and pictures of brands and clubs: files of `tenants/`, and those that were uploaded. */
export interface TenantFiles {
  /** Returns the content of the file that a name or a path of ours means. */
  read(folder: 'logos' | 'pictures', name: string): Promise<Buffer | undefined>;
  /** Returns a logo as the text of an SVG. */
  readLogo(name: string | null): Promise<string | undefined>;
}

export function tenantFiles(tenantsFolder: string, db: Db): TenantFiles {
  const findUploaded = rememberPictures((name) => findPicture(db, name));
  const read: TenantFiles['read'] = async (folder, path) => {
    const name = basename(path);
    const file = await readFile(join(tenantsFolder, folder, name)).catch(() => undefined);
    return file ?? findUploaded(name);
  };
  const readLogo: TenantFiles['readLogo'] = async (name) =>
    name === null ? undefined : (await read('logos', name))?.toString('utf8');
  return { read, readLogo };
}
