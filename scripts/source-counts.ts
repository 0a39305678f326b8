import { posix } from 'node:path';
import type { SourceFile } from './citations.ts';

const server = 'apps/server/src/';

/** Returns a server file's imports, types included, as repository paths. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(#|\.{1,2}\/)([^']+)'/g)].map(([, start = '', rest = '']) =>
    start === '#' ? `${server}${rest}` : posix.join(posix.dirname(path), start, rest),
  );
}

/** Returns names that reach themselves by arrows, in alphabetical order. */
export function inCircle(arrows: readonly (readonly [string, string])[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reaches = (start: string): boolean => {
    const seen = new Set<string>();
    const open = [...(next.get(start) ?? [])];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (name === start) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...(next.get(name) ?? []));
    }
    return false;
  };
  return [...next.keys()].filter(reaches).sort();
}

/** Returns each doc comment's text, without stars and line ends. */
export function commentsOf({ text }: Pick<SourceFile, 'text'>): string[] {
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\//g)]
    .map(([, inside = '']) =>
      inside
        .replace(/^\s*\* ?/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((comment) => comment !== '');
}

/** Returns whether a comment opens with a relative clause. */
export const opensWithClause = (comment: string): boolean =>
  /^(?:What|Whatever|Who|Whom|Whose|Whoever|Whether|How|Of|The same|So|Nobody)\b(?!-)/.test(comment);

export const wordsOf = (comment: string): number => comment.split(/\s+/).filter((word) => /\w/.test(word)).length;

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}

/** Counts lines as an editor does: a line end at the end of a file begins no line. */
export const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Turns of phrase that a native speaker of the trade would not use, by the name that they are counted under. */
export const patterns: Readonly<Record<string, RegExp>> = {
  meanwhile: /\bmeanwhile\b/gi,
  'by itself': /\bby (?:itself|themselves)\b/gi,
  'so many': /\b(?:as|so) many\b(?! as\b)/gi,
  'keeps no other': /\bkeeps? (?:no|nobody|none)\b/gi,
  'whoever, whom, wherever': /\b(?:whoever|whom|wherever|whatever)\b/gi,
  'at once': /\bat once\b/gi,
  'goes on': /\b(?:goes|go|going|went) on\b/gi,
  'anew, the one that, in whose name': /\banew\b|\bthe ones? that\b|\bin whose name\b/gi,
};

/** Counts each pattern in a text. */
export const countPatterns = (text: string): Record<string, number> =>
  Object.fromEntries(Object.entries(patterns).map(([name, form]) => [name, [...text.matchAll(form)].length]));

/** Returns what of a source is prose: a document whole, of code its comments and the titles of its tests. */
export function proseOf({ path, text }: SourceFile): string {
  if (path.endsWith('.md')) return text;
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm) ?? [];
  const titles = text.match(/(['"`])(?:(?!\1)[^\\\n]|\\.)*\1(?=,\s*(?:async )?\(?[^()'"`=]*\)? =>)/g) ?? [];
  return [...comments, ...titles].join('\n');
}
