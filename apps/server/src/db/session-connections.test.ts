import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const server = new URL('../', import.meta.url);
const architecture = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');

/** Calls whose effect outlives a transaction. */
const holdsSession = /\.reserve\(\)|(with|await)SessionLocks?\(|(db|pool)\.listen\(|new pg\.Client\(/;

test('every connection that must not be shared is named in docs/architecture.md', () => {
  const [, section = ''] = architecture.split('## Connections that must not be shared');
  const named = [...(section.split('\n## ')[0] ?? '').matchAll(/`(?:apps\/server\/src\/)?([a-z/-]+\.ts)`/g)].map(
    ([, path]) => path,
  );
  const holding = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('testing/'))
    .filter((path) => holdsSession.test(readFileSync(new URL(path, server), 'utf8')));
  expect(named.toSorted()).toEqual(holding.toSorted());
});
