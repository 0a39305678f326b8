import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const names = readdirSync(new URL('./migrations/', import.meta.url)).sort();
const stampOf = (name: string): string => /^(\d{14})_[a-z_]+\.sql$/.exec(name)?.[1] ?? '';

/** Returns the instant that fourteen digits write, where they write one. */
function instantOf(stamp: string): string | undefined {
  const date = new Date(stamp.replace(/^(\d{4})(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\D/g, '').slice(0, 14);
}

test('migrations are named by a timestamp and a subject', () => {
  expect(names.filter((name) => stampOf(name) === '' || instantOf(stampOf(name)) !== stampOf(name))).toEqual([]);
});

test('no two migrations have the same timestamp', () => {
  expect(names.filter((name, at) => at > 0 && stampOf(name) <= stampOf(names[at - 1] ?? ''))).toEqual([]);
});
