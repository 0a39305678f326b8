import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namingFullDisk } from '#full-disk.ts';
import { BankFileProblem } from '#ports/bank-files.ts';
import { hashOf } from './compose-file.ts';

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

const newDraftOf = (name: string): string => `.${name}.${randomUUID()}`;

/** Writes content whole under a name of its own, for its owner alone. */
async function writeDraft(folder: string, name: string, content: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = newDraftOf(name);
  const path = join(folder, draft);
  const file = await open(path, 'wx', 0o600);
  try {
    await namingFullDisk('a file for the bank', async () => {
      await file.writeFile(content);
      await file.sync();
    });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

/** Puts content there unless the folder has a file of that name. It links, because renaming would replace that file. */
async function putIfNew(folder: string, name: string, content: string): Promise<void> {
  const draft = join(folder, await writeDraft(folder, name, content));
  try {
    await link(draft, join(folder, name));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Opens the folder of files for the bank; only its owner may read it, as they hold account numbers in the clear. */
export function outboxIn(folder: string) {
  /** Notes which files were put, beside the folder, as the bank's software takes away all that it finds in it. */
  const notes = join(dirname(folder), `.${basename(folder)}-put`);

  const read = (name: string): Promise<string | undefined> => readIfThere(join(folder, name));

  function refuseOther(name: string, found: string | undefined, content: string): void {
    if (found === undefined || found === content) return;
    const path = join(folder, name);
    throw new BankFileProblem(`${path} does not hold what was first written to it; it is left as it is.`);
  }

  /** Writes a file whole or not at all. Throws BankFileProblem if one of that name has other content. */
  async function put(name: string, content: string): Promise<void> {
    await putIfNew(folder, name, content);
    refuseOther(name, await read(name), content);
  }

  async function findNote(name: string): Promise<{ hash: string; draft: string } | undefined> {
    const [hash, draft] = (await readIfThere(join(notes, name)))?.split(' ') ?? [];
    return hash && draft ? { hash, draft } : undefined;
  }

  /** Notes the draft that becomes the file; returns the one of a faster process. */
  async function note(name: string, content: string, draft: string): Promise<string> {
    await putIfNew(notes, name, `${hashOf(content)} ${draft}`);
    const noted = await findNote(name);
    if (noted?.hash === hashOf(content)) return noted.draft;
    throw new BankFileProblem(
      `A different file named ${name} was put into the outbox before. Compare the bank's list of files; if the bank does not have this one, withdraw it, so that its orders go into the next file.`,
    );
  }

  async function noteNewDraft(name: string, content: string): Promise<string> {
    const draft = await writeDraft(folder, name, content);
    try {
      return await note(name, content, draft);
    } finally {
      if ((await findNote(name))?.draft !== draft) await rm(join(folder, draft), { force: true });
    }
  }

  /**
   * Puts a file once only, for a bank that takes it away. Its draft is noted first and then renamed: a noted file
   * without a draft has been in the outbox, however the process ended. Throws BankFileProblem as `put` does.
   */
  async function putOnce(name: string, content: string): Promise<void> {
    const found = await read(name);
    refuseOther(name, found, content);
    if (found !== undefined) {
      await note(name, content, newDraftOf(name));
      return;
    }
    const noted = await findNote(name);
    const draft = noted ? await note(name, content, noted.draft) : await noteNewDraft(name, content);
    await renameIfThere(join(folder, draft), join(folder, name));
  }

  /**
   * Takes a file out, ahead of the bank's software; false if it has been fetched. It becomes its draft again, so that
   * `putOnce` puts it if the process ends.
   */
  async function takeOut(name: string, contentHash: string): Promise<boolean> {
    if ((await read(name)) !== undefined) await putIfNew(notes, name, `${contentHash} ${newDraftOf(name)}`);
    const noted = await findNote(name);
    if (!noted) return true;
    const draft = join(folder, noted.draft);
    const isThere = (await renameIfThere(join(folder, name), draft)) || (await readIfThere(draft)) !== undefined;
    return isThere || noted.hash !== contentHash;
  }

  async function putBack(name: string): Promise<void> {
    const noted = await findNote(name);
    if (noted) await renameIfThere(join(folder, noted.draft), join(folder, name));
  }

  /** Lets `putOnce` put a file again. */
  const forget = (name: string): Promise<void> => rm(join(notes, name), { force: true });

  async function remove(name: string): Promise<void> {
    const noted = await findNote(name);
    if (noted) await rm(join(folder, noted.draft), { force: true });
    await rm(join(folder, name), { force: true });
    await forget(name);
  }

  return { folder, put, putOnce, read, takeOut, putBack, forget, remove };
}

export type Outbox = ReturnType<typeof outboxIn>;
