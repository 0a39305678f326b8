import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { plainTextOf, requestTextOf } from './request-text.ts';

test('a heading, paragraph or list item is a line, in the words of the page', () => {
  const html = `<head><title>No</title></head><main id="a"><h1 class="b">Privacy &amp; <em>T</em></h1>
    <p>One
    two.</p><ul> <li>three;</li><li>four.</li> </ul></main>No`;
  expect(plainTextOf(html)).toBe('Privacy & T\nOne two.\n- three;\n- four.');
  expect(() => plainTextOf('<p>No main part.</p>')).toThrow();
});

test('the default terms are kept whole, under the version that the page names', async () => {
  const page = await readFile(
    new URL('../../../../../web/public/pages/direct-debit-terms.html', import.meta.url),
    'utf8',
  );
  const { version, content, hash } = requestTextOf({ key: 'default' });
  expect(version).toBe('2026-11-21');
  expect(content).toContain('\nVersion of 21 November 2026\n');
  expect(content).not.toMatch(/[<>]|&\w+;/);
  expect(content.split('\n').length).toBeGreaterThan((page.match(/<(h\d|p|li)\b/g) ?? []).length);
  expect(requestTextOf({ key: 'rovers' })).toEqual({ version, content, hash });
});
