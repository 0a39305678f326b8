import { Unavailable } from '#errors.ts';

/** Codes of the system and of PostgreSQL for a disk, or a share of one, without room. */
const codes = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

/** Returns whether an error says that a disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.has(error.code);

/** Writes a file; throws Unavailable that names `what` could not be written if the disk is full. */
export async function namingFullDisk<T>(what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw Object.assign(new Unavailable(`The disk is full: ${what} could not be written.`), { cause });
  }
}
