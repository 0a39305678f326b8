import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Lists styles that show things in another order than the keyboard and screen readers go through them. */
const reordering = (text: string): string[] => text.match(/^.*(?:-reverse\b|\border: -?[1-9]).*$/gm) ?? [];

test('nothing is shown to supporters in another order than the focus takes', () => {
  const files = globSync('apps/web/src/**/*.css');
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((file) =>
    reordering(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
