import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BankFileProblem } from '#ports/bank-files.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Opens the folder of files for the bank; only its owner may read it, as they hold account numbers in the clear. */
export function outboxIn(folder: string) {
  /** Writes a file whole or not at all. Throws BankFileProblem if one of that name has other content. */
  async function put(name: string, content: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const target = join(folder, name);
    const draft = join(folder, `.${name}.${process.pid}.${performance.now()}`);
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
      // Linking fails where there is a file of that name; renaming would replace it.
      await link(draft, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if ((await readFile(target, 'utf8')) !== content) {
        throw new BankFileProblem(`${target} does not hold what was first written to it; it is left as it is.`);
      }
    } finally {
      await file.close();
      await rm(draft, { force: true });
    }
  }

  /** Reads an outbox file; undefined if there is none. */
  async function read(name: string): Promise<string | undefined> {
    return readFile(join(folder, name), 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  return { folder, put, read, remove: (name: string) => rm(join(folder, name), { force: true }) };
}

export type Outbox = ReturnType<typeof outboxIn>;
