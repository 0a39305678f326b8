import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkpointFile } from '#audit/checkpoint-file.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { Unavailable } from '#errors.ts';
import { loggedError } from '#telemetry/log.ts';
import { namingFullDisk } from './full-disk.ts';

/** A device of Linux that has no room. */
const fullDevice = '/dev/full';

test.skipIf(!existsSync(fullDevice))('a file that finds no room says which, and the log says why', async () => {
  const counts = { number: 1, chains: 0, entries: 0, isComplete: true, acceptedBecause: null };
  const mac = Buffer.alloc(36);
  const checkpoint = { ...counts, place: 'public', madeAt: new Date(0), marksSum: Buffer.alloc(32), mac };
  const error: unknown = await checkpointFile(fullDevice)
    .add(checkpoint)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Unavailable);
  expect(loggedError(error)).toMatchObject({
    message: 'The disk is full: the file of audit checkpoints could not be written.',
    cause: { code: 'ENOSPC', message: expect.stringMatching(/^disk full: /) },
  });
});

test('other failures stay as they are', async () => {
  const other = Object.assign(new Error('no'), { code: 'EACCES' });
  await expect(namingFullDisk('a file', () => Promise.reject(other))).rejects.toBe(other);
  expect(loggedError(other).message).toBe('no');
});

test("a full disk of the database is said so without the statement's words, and is worth another try", () => {
  const refused = Object.assign(new Error('could not extend file for robin@example.com'), {
    code: '53100',
    severity: 'ERROR',
    routine: 'mdextend',
    searchPath: 'bucket_3',
  });
  expect(isDatabaseUnavailable(refused)).toBe(true);
  const logged = loggedError(refused);
  expect(logged).toMatchObject({ code: '53100', searchPath: 'bucket_3' });
  expect(logged.message).toBe('disk full: the database has no room for a statement');
});
