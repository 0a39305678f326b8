import { expect, test } from 'vitest';
import { aTenant } from '#testing/makers.ts';
import type { Settings } from './load-tenants.ts';
import { compareFiles } from './take-up-files.ts';
import type { Version, VersionOrigin } from './version-repository.ts';

const aca = (name: string): Settings => {
  const { key, ...content } = aTenant({ key: 'aca', name });
  return { key, content };
};

/** Versions of one tenant, oldest first. */
const history = (...all: [VersionOrigin, string][]): Version[] =>
  all
    .map(([origin, name], index) => ({
      ...aca(name),
      version: index + 1,
      origin,
      savedAt: new Date(0),
      savedBy: origin === 'file' ? null : 'robin',
    }))
    .toReversed();

const isTaken = (file: string, versions: Version[]) => compareFiles([aca(file)], versions).changed.length === 1;
const refusal = (file: string, versions: Version[]) => compareFiles([aca(file)], versions).refused.join();

test('a file that the database does not know is taken', () => {
  expect(isTaken('one', [])).toBe(true);
});

test('a file that changed is taken while its tenant was not edited', () => {
  expect(isTaken('two', history(['file', 'one']))).toBe(true);
  expect(isTaken('one', history(['file', 'one']))).toBe(false);
});

test('an edit stays while its file is as it was', () => {
  expect(compareFiles([aca('one')], history(['file', 'one'], ['edit', 'mine']))).toEqual({ changed: [], refused: [] });
});

test('where file and database were both changed the database counts, and the difference is named', () => {
  const versions = history(['file', 'one'], ['edit', 'mine']);
  expect(isTaken('two', versions)).toBe(false);
  expect(refusal('two', versions)).toBe(
    "tenants/aca.json differs from version 2 in name: both were changed, and the database's counts; ops tenants save takes the file, ops tenants export aca the database's.",
  );
});

test('a file of an earlier release puts nothing back', () => {
  const versions = history(['file', 'one'], ['file', 'two']);
  expect(isTaken('one', versions)).toBe(false);
  expect(refusal('one', versions)).toContain('it is as in version 1, which was replaced; ops tenants restore aca 1');
});

test('an edit that came back as a file is followed as a file again', () => {
  const exported = history(['file', 'one'], ['edit', 'mine']);
  expect(isTaken('mine', exported)).toBe(true);
  expect(isTaken('later', history(['file', 'one'], ['edit', 'mine'], ['file', 'mine']))).toBe(true);
});
