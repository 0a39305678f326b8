import { brandOf } from '@sparechange/server/features/correspondence/emails/email.ts';
import { emailContentOf } from '@sparechange/server/features/correspondence/emails/emails.ts';
import { renderEmail } from '@sparechange/server/features/correspondence/emails/render-email.ts';
import {
  everyKind,
  exampleContext,
} from '@sparechange/server/features/correspondence/emails/testing/example-emails.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { listPaths, readSource, root } from './citations.ts';
import { readingGrade, sentencesOf, textsOf, unspokenTurns } from './screen-words.ts';

function parsed(path: string): string[] {
  const { program, errors } = parseSync(path, readSource(path).text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  return textsOf(program);
}

/** Sources with words for people: both apps, and all that the server or a rule of the domain puts into words. */
const shown = listPaths().filter(
  (path) => /^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.(?:test|suite)\.|\/testing\//.test(path),
);
const screens = shown.filter((path) => path.startsWith('apps/web/'));

describe('texts of a source', () => {
  const textsIn = (text: string) => textsOf(parseSync('page.tsx', text).program);
  test('are read whole, with a value in its place and with the words of a link', () => {
    const page = 'const p = <p>We debit {amount} on <b>Monday</b>.<TextLink to="/x"> See it</TextLink></p>;';
    expect(textsIn(page)).toContain('We debit ten on Monday. See it');
    expect(textsIn('const s = `Raises $' + '{n} a week`;')).toContain('Raises ten a week');
  });
  test('of a block within a block are apart, and names of imports are none', () => {
    expect(textsIn("import x from 'No words here'; const d = <div>One.<p>Two.</p></div>;")).toEqual(['One.', 'Two.']);
  });
});

test('a long text of long words asks for more school years than a short one', () => {
  expect(readingGrade(['We paid your club $4 today.'])).toBeLessThan(3);
  expect(
    readingGrade(['Notwithstanding subsequent authorisation, remuneration necessitates supplementary documentation.']),
  ).toBeGreaterThan(16);
});

test('a turn that nobody says is found, with what is said instead', () =>
  expect(unspokenTurns({ path: 'page.tsx' }, ['You need not do anything.'])).toEqual([
    'page.tsx: "You need not" in "You need not do anything."; say "Nothing to do"',
  ]));

test('no screen, mail or message has a turn that nobody says', () =>
  expect(shown.flatMap((path) => unspokenTurns({ path }, sentencesOf(parsed(path))))).toEqual([]));

test('what supporters read asks for eight school years at most, page by page', () => {
  const graded = screens
    .map((path) => ({ path, texts: sentencesOf(parsed(path)) }))
    .filter(({ texts }) => texts.join(' ').split(' ').length >= 25)
    .map(({ path, texts }) => ({ path, grade: readingGrade(texts) }));
  expect(graded.length).toBeGreaterThan(20);
  expect(graded.filter(({ grade }) => grade > 8)).toEqual([]);
});

test('each mail asks for eight school years at most', async () => {
  const tenant = (await loadTenants(`${root}tenants`)).byKey('aca');
  if (!tenant) throw new Error('The tenant aca is missing');
  const site = new URL('https://sparechange.example/');
  const graded = Object.values(everyKind)
    .flat()
    .map((facts) => {
      const { text } = renderEmail(emailContentOf(facts, exampleContext(site)), brandOf(tenant, site), 'Robin');
      const lines = text
        .replace(/https?:\S+/g, '')
        .replace(/\$[\d.,]+/g, 'ten')
        .split('\n');
      return { kind: facts.kind, grade: readingGrade(lines.filter((line) => line.split(' ').length >= 4)) };
    });
  expect(graded.filter(({ grade }) => grade > 8)).toEqual([]);
});
