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

const maxDecisionWords = 250;

/** Returns whether a decision page has a status with a date and is short; title and status do not count as words. */
export function isDecision({ text }: Pick<SourceFile, 'text'>): boolean {
  const status = /^Status: [a-z ]+, \d{1,2} [A-Z][a-z]+ \d{4}.*$/m;
  return status.test(text) && wordsOf(text.replace(/^# .*$/m, '').replace(status, '')) <= maxDecisionWords;
}

/** Counts lines as an editor does: a line end at the end of a file begins no line. */
export const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Words that a payments engineer would have to ask about; each has a word of the trade (docs/glossary.md). */
const privateWords = new Set(
  `tell tells told heed judge judged lives doings misfortune odd oddness story papers letter letters seal sealed unsealed
  reseal resealed noticed away whoever giver givers lane lanes standing insistence wish wishes waited halt halts halted
  most authority authorities leaver leavers`.split(/\s+/),
);

const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Returns whether the name of a file, or of what it declares at its top level, has private words. */
export function hasPrivateName({ path, text }: SourceFile): boolean {
  const declared = text.matchAll(/^(?:export )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm);
  const names = [posix.basename(path), ...[...declared].map(([, name = '']) => name)];
  // A dead letter is a job that failed for good, in every trade.
  const withoutTrade = names.map((name) => name.replace(/dead-?letters?/i, ''));
  return withoutTrade.some((name) => partsOf(name).some((part) => privateWords.has(part)));
}

/** Private in a name, plain English in a sentence. */
const plainInSentences = new Set(['letter', 'letters', 'lives', 'most']);

/** Returns whether a command's help or a log line has private words. */
export function hasPrivateSentence({ text }: Pick<SourceFile, 'text'>): boolean {
  const calls = text.matchAll(/\.(?:description|option)\(([^)]*)\)|\blog\.(?:info|warn|error)\(([^;]*);/g);
  const sentences = [...calls].flatMap(([call]) => call.match(/'[^']*'|"[^"]*"|`[^`]*`/g) ?? []);
  return sentences.some((sentence) =>
    partsOf(sentence).some((part) => privateWords.has(part) && !plainInSentences.has(part)),
  );
}

/** Private in whatever sentence; the other private words have a plain meaning there. */
const privateInProse = new RegExp(
  `\\b(?:${'told heed judged? wishes givers? leavers? doings misfortune oddness papers noticed insistence halted'.split(' ').join('|')}|(?:is|are|was) away|re-?sealed|unsealed)\\b`,
  'i',
);

/** Returns comments and test titles with private words. */
export function privateProse({ text }: Pick<SourceFile, 'text'>): string[] {
  const comments = text.match(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm) ?? [];
  const titles = text.match(/(['"`])(?:(?!\1)[^\\\n]|\\.)*\1(?=,\s*(?:async )?\(?[^()'"`=]*\)? =>)/g) ?? [];
  return [...comments, ...titles].filter((sentence) => privateInProse.test(sentence));
}
