import fc from 'fast-check';
import { type ESTree, parseSync, Visitor } from 'vite';
import type { SourceFile } from './citations.ts';

/** A regular expression and its source line. */
export interface WrittenPattern {
  place: string;
  pattern: RegExp;
}

/** Finds what may be a literal or builds an expression, so that other files need not be parsed. */
const mayHavePattern = /RegExp\(|(?:^|[(,=:[!&|?{};\s>])\/(?![/*\s])[^\n]{1,300}?\/[dgimsuvy]{0,8}\s{0,20}[.,;)\]\s}]/m;

type Constants = Map<string, ESTree.Expression>;

/** Reads a text that is put together from constants of the same file; a letter stands for anything else. */
function textOf(node: ESTree.Node, constants: Constants): string {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'TaggedTemplateExpression') return templateOf(node.quasi, constants, 'raw');
  if (node.type === 'TemplateLiteral') return templateOf(node, constants, 'cooked');
  const constant = node.type === 'Identifier' ? constants.get(node.name) : undefined;
  return constant ? textOf(constant, constants) : 'x';
}

const templateOf = (node: ESTree.TemplateLiteral, constants: Constants, form: 'raw' | 'cooked'): string =>
  node.quasis
    .map(({ value }, at) => {
      const inserted = node.expressions[at];
      return `${value[form] ?? ''}${inserted ? textOf(inserted, constants) : ''}`;
    })
    .join('');

/** Lists the regular expressions of a source file: literals, and what calls of `RegExp` build. */
export function patternsOf({ path, text }: SourceFile): WrittenPattern[] {
  if (!mayHavePattern.test(text)) return [];
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const constants: Constants = new Map();
  const found: WrittenPattern[] = [];
  const add = (start: number, pattern: RegExp) =>
    found.push({ place: `${path}:${text.slice(0, start).split('\n').length}`, pattern });
  const addBuilt = ({ callee, arguments: [source, flags], start }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || !source) return;
    add(start, new RegExp(textOf(source, constants), flags ? textOf(flags, constants) : ''));
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
    Literal: (node) => {
      if ('regex' in node) add(node.start, new RegExp(node.regex.pattern, node.regex.flags));
    },
    NewExpression: addBuilt,
    CallExpression: addBuilt,
  }).visit(program);
  return found;
}

/** Only what repeats without a narrow bound can take longer than its text is long. */
const repeats = /[*+]|\{\d*,\}|\{\d*,?\d{2,}\}/;

const samplesEach = 3;
const sampleLength = 24;

/** Returns texts that the expression takes; nothing for one with parts that cannot be made up. */
function samplesOf({ source, flags }: RegExp): string[] {
  const plain = source.replace(/\(\?<?[=!](?:[^()\\]|\\.)*\)|\\[bB]/g, '').replace(/\\[pP]\{[\w=]+\}/g, 'a');
  try {
    const made = fc.stringMatching(new RegExp(plain, flags.replace(/[gimy]/g, '')));
    return fc.sample(made, { numRuns: samplesEach, seed: 1 }).map((text) => text.slice(0, sampleLength));
  } catch {
    return [];
  }
}

/** Characters that many expressions name, and some that few do. */
const characters = [...' \t\n\0a9A/\\"\'`,;:.=-_+*@<>()[]{}#$%&?!|~^é—'];
/** Ends most matches: one of them is outside of what was repeated. */
const unlike = '\0 @<>;"\'\n/|!a0';

/** A text's beginning, its repeated part, and its end. */
interface HostilePart {
  start: string;
  again: string;
  end: string;
}

/**
 * Returns texts that might make an expression start again and again: one character throughout, its words, and texts that
 * it takes with their beginning or one or two of their characters repeated.
 */
function hostileParts(pattern: RegExp): HostilePart[] {
  const words = pattern.source.match(/[\w ="'@:;,./<>-]{2,}/g) ?? [];
  const simple = [...characters, ...words].map((again) => ({ start: '', again }));
  const ofSamples = samplesOf(pattern).flatMap((sample) =>
    Array.from(sample, (_, at) => [
      { start: '', again: sample.slice(0, at + 1) },
      { start: sample.slice(0, at), again: sample.slice(at, at + 1) },
      { start: sample.slice(0, at), again: sample.slice(at, at + 2) },
    ]).flat(),
  );
  return [...simple, ...ofSamples].flatMap((part) => ['', unlike].map((end) => ({ ...part, end })));
}

const hostileText = ({ start, again, end }: HostilePart, length: number): string =>
  start + again.repeat(Math.ceil(length / again.length)) + end;

/** Looks for every match, without keeping any: garbage would be counted as well. */
function matchAll(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  for (let end = 0; pattern.test(text); end = pattern.lastIndex) if (pattern.lastIndex === end) pattern.lastIndex += 1;
}

/** Microseconds of this thread alone, so that the machine's other work does not count; the least of three tries. */
function cpuOf(pattern: RegExp, text: string, tries = 3): number {
  const each = Array.from({ length: tries }, () => {
    const before = process.threadCpuUsage();
    matchAll(pattern, text);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...each);
}

/** This many characters show an exponential expression, which would never end on more. */
const fewest = 24;
const shorter = 2_000;
/** Faster runs are not compared: a quadratic expression takes ten times as long on the longer texts. */
const slowMicroseconds = 2_000;
/** For four times the text a linear expression takes four times as long, a quadratic one sixteen times. */
const superlinear = 8;
/** A time of which a clock that ticks every 10 ms, and a busy neighbour, make no double. */
const measurableMicroseconds = 60_000;
const longest = 1_000_000;

const isSlow = (pattern: RegExp, text: string): boolean =>
  cpuOf(pattern, text, 1) > slowMicroseconds && cpuOf(pattern, text) > slowMicroseconds;

/** Returns whether an expression's time grows faster than its text, between texts that are long enough to be timed. */
function outgrows(pattern: RegExp, part: HostilePart): boolean {
  let length = shorter;
  while (length < longest && cpuOf(pattern, hostileText(part, length), 1) < measurableMicroseconds) length *= 2;
  const short = cpuOf(pattern, hostileText(part, length), 2);
  return cpuOf(pattern, hostileText(part, 4 * length), 1) > superlinear * Math.max(short, measurableMicroseconds / 2);
}

/** Returns a text, by what it repeats, whose length an expression's time grows faster than; nothing if there is none. */
export function slowTextOf({ source, flags }: RegExp): HostilePart | undefined {
  if (!repeats.test(source)) return undefined;
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  return hostileParts(pattern).find(
    (part) =>
      isSlow(pattern, hostileText(part, fewest)) ||
      (isSlow(pattern, hostileText(part, 4 * shorter)) && outgrows(pattern, part)),
  );
}
