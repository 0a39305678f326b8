import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environmentExample, undescribed } from './environment-example.ts';

test('every variable of the schema is described, and none that is gone', () => {
  expect(undescribed(), 'describe them in scripts/environment-example.ts, then npm run env-example').toEqual([]);
});

test('.env.example is up to date', () => {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  expect(example, 'run npm run env-example').toBe(environmentExample());
});

test('a variable shows its choices, its bounds and its default', () => {
  const example = environmentExample();
  expect(example).toContain('One of: development, production.\n#APP_ENV=development\n');
  expect(example).toContain('From 1 to 65535.\n#PORT=4000\n');
  expect(example).toMatch(/\n#DATABASE_URL=\n/);
});
