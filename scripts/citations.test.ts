import { describe, expect, test } from 'vitest';
import {
  anchorOf,
  anchorsOf,
  brokenCitations,
  isChecked,
  type Library,
  listPaths,
  outsideCitations,
  readSource,
} from './citations.ts';

const paths = listPaths();
const library: Library = { paths, read: (path) => readSource(path).text };
const checked = paths.filter(isChecked).map(readSource);

describe('in this repository', () => {
  test('no citation leads to a document that a reader of the clone does not have', () => {
    expect(checked.flatMap(outsideCitations)).toEqual([]);
  });

  test('every path and anchor that is cited resolves', () => {
    expect(checked.flatMap((file) => brokenCitations(file, library))).toEqual([]);
  });

  test('each rule says why, by which source, where it is enforced and which test holds it', () => {
    const [, ...rules] = library.read('docs/rules.md').split(/^### /m);
    const names = rules.map((rule) => rule.split('\n')[0] ?? '');
    expect(names.length).toBeGreaterThan(60);
    expect(new Set(names.map(anchorOf)).size).toBe(names.length);
    rules.forEach((rule, at) => {
      expect(rule, names[at]).toContain(`**R${at + 1}.**`);
      expect(rule, names[at]).toMatch(
        /- \*Why:\* .+\n- \*Source:\* .+\n- \*Enforced:\* `.+`\n- \*Test:\* `.+\.(test|spec)\.tsx?`/,
      );
    });
  });
});

test('each table of the glossary is in the schema', () => {
  const schema = paths
    .filter((path) => path.endsWith('.sql'))
    .map((path) => readSource(path).text)
    .join('\n');
  const rows = library
    .read('docs/glossary.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|')[3] ?? '').join(' ');
  const tables = [...cells.matchAll(/`([a-z_]+\.)?([a-z_]+)(\.[a-z_]+)?`/g)].map(([cell]) => cell.replaceAll('`', ''));
  const known = (name: string) =>
    name.startsWith('pgboss.') || name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(schema));
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter((name) => !known(name))).toEqual([]);
});

describe('a citation', () => {
  const found = (text: string) => outsideCitations({ path: 'a.ts', text }).length;

  test.each([
    'once (design 7.4)',
    'see design section 5',
    'Spec section 8, word for word',
    "the spec's section on money",
    'as in section 9',
    '(facts/payments.md 1.8)',
    'facts/identity.md 4.1',
    'its issue 1208',
    'finding F9',
  ])('of something outside is found: %s', (text) => expect(found(text)).toBe(1));

  test.each([
    'section 30-228 of the Income Tax Assessment Act 1997',
    'docs/rules.md#weekly-limit',
    'emailContentOf(facts, context)',
    "facts->'clubs'",
    'by design, nothing is kept',
  ])('of something public or inside is not: %s', (text) => expect(found(text)).toBe(0));

  const small: Library = {
    paths: ['docs/rules.md', 'docs/decisions/README.md', 'apps/server/src/main.ts', 'README.md'],
    read: () => '# Rules\n\n## Money\n\n### Weekly limit\n\n| Number | Now |\n|---|---|\n| 0001 | [tools](x.md) |\n',
  };
  const broken = (path: string, text: string) => brokenCitations({ path, text }, small).length;

  test.each(['docs/rules.md#weekly-limit', 'docs/decisions/0001', 'docs/decisions/0001-tools.md', 'docs/rules.md.'])(
    'that resolves is let pass: %s',
    (text) => expect(broken('a.ts', text)).toBe(0),
  );

  test.each(['docs/rules.md#monthly-limit', 'docs/decisions/0002', 'docs/gone.md'])(
    'that does not resolve is found: %s',
    (text) => expect(broken('a.ts', text)).toBe(1),
  );

  test('in a document is looked up as link from its own folder, and as quoted path from the root', () => {
    expect(broken('docs/rules.md', '[x](#weekly-limit) [y](../README.md) `apps/server/src/` [z](https://a.b/c)')).toBe(
      0,
    );
    expect(broken('docs/rules.md', '[x](#no) [y](README.md) `apps/server/src/app.ts`')).toBe(3);
    expect(broken('docs/rules.md', '`main.ts` `gone.ts` `features/gone.ts`')).toBe(2);
    expect(broken('docs/rules.md', '```\n[x](#no)\n```\n')).toBe(0);
  });
});

test('anchors are those of GitHub', () => {
  expect(anchorOf('No bank data in logs, mails or analytics')).toBe('no-bank-data-in-logs-mails-or-analytics');
  expect([...anchorsOf('# One\n\n## One\n\n## Two `x` & more\n')]).toEqual(['one', 'one-1', 'two-x--more']);
});
