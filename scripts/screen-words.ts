import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';
import type { SourceFile } from './citations.ts';

/** A node of a parsed source; each kind has properties of its own. */
interface Node {
  type: string;
  [property: string]: unknown;
}

/** Stands for a value of which a source shows no more than its place. */
const someValue = 'ten';

/** Elements that stand within a sentence. */
const inline = new Set(['a', 'b', 'em', 'i', 'Money', 'output', 'span', 'strong', 'TextLink', 'time']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value) ? value.flatMap(nodesIn) : isNode(value) ? [value] : [];

const namesOf = (element: Node): string => String((element.openingElement as Node & { name: Node }).name.name);

/** Returns an element's own words: those of elements within a sentence belong to it, those of blocks do not. */
function wordsWithin(element: Node): string {
  return nodesIn(element.children)
    .map((child) => {
      if (child.type === 'JSXText') return String(child.value);
      if (child.type === 'JSXElement') return inline.has(namesOf(child)) ? wordsWithin(child) || someValue : ' ';
      const { expression } = child as Node & { expression: Node };
      if (child.type !== 'JSXExpressionContainer' || expression.type === 'JSXEmptyExpression') return ' ';
      return typeof expression.value === 'string' ? expression.value : someValue;
    })
    .join('');
}

function collect(node: Node, texts: string[]): void {
  if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') texts.push(wordsWithin(node));
  if (node.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
  if (node.type === 'TemplateLiteral')
    texts.push((node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(someValue));
  for (const property of Object.values(node)) for (const child of nodesIn(property)) collect(child, texts);
}

/** Returns the sentences and labels of a parsed source that people may read, with {@link someValue} for each value. */
export function textsOf(program: unknown): string[] {
  const texts: string[] = [];
  for (const node of nodesIn(program)) collect(node, texts);
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => /[a-z]{2}/i.test(text));
}

/** Returns the texts of at least four words, of which the first begins as a sentence does. */
export const sentencesOf = (texts: readonly string[]): string[] =>
  texts.filter((text) => /^[A-Z“$]/.test(text) && text.split(' ').length >= 4);

/** Returns the school years that a text asks of its readers, by Flesch and Kincaid's formula. */
export function readingGrade(texts: readonly string[]): number {
  const text = texts.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ');
  return fleschKincaid({
    sentence: text.split(/[.!?]+(?:\s|$)/).filter((part) => part.trim() !== '').length,
    word: text.split(/\s+/).filter((part) => /\w/.test(part)).length,
    syllable: syllable(text),
  });
}

/** Words and turns that screens and mails had, and that nobody says; each stands beside what is said now. */
const unspoken: readonly (readonly [RegExp, string])[] = [
  [/\bby day and by night\b|\bby night\b/i, 'light and dark'],
  [/\bother bank details\b/i, 'new bank details'],
  [/\bdangerous acts?\b/i, 'approvals'],
  [/\btakes gifts\b/i, 'Active'],
  [/\bfrom five on\b/i, 'from five supporters'],
  [/\bwho(?:so)?ever\b/i, 'anyone who'],
  [/\bnone yet\b/, 'Not set up'],
  [/\ball of theirs\b/i, 'See payments'],
  [/\bcame back today\b/i, 'Returned today'],
  [/\byou need not\b|\bneed do nothing\b/i, 'Nothing to do'],
  [/\byou may (?:skip|choose|look)\b/i, 'you can'],
  [/\bwait while my\b/i, "Don't debit me when"],
  [/\bgoes? on by itself\b|\bby itself\b/i, 'usually takes'],
  [/\bretry (?:starts|leads)\b/i, 'Retry takes you back'],
  [/\bis not connected yet\. retry\b/i, "isn't connected yet"],
  [/\bunless you say yes\b/i, 'unless you renew'],
  [/\bwho stands behind\b/i, 'Who runs this'],
  [/\bwhat we read, and\b/i, 'What we can see'],
  [/\bis your club not here\b/i, "Can't find your club?"],
  [/\bthere is no such page\b|\bgo to the start\b/i, "We can't find that page"],
  [/\beach request ourselves\b/i, 'A person reads every request'],
  [/\bnothing can be changed\b/i, "Changes can't be saved"],
  [/\bnothing is missed\b/i, "you won't miss a round-up"],
  [/\bof it being debited\b|\ball of it has cleared\b/i, 'on its way, All received'],
  [/\bwhat did not count\b|\bno counted purchases\b/i, "weren't rounded up"],
  [/\bif you choose a day\b/i, 'Optional.'],
  [/\bdebited from then on\b/i, 'from now on'],
  [/\btells us overnight\b/i, 'that arrives overnight'],
  [/\bon your bank statement it reads\b/i, 'On your statement:'],
  [/\bpass this mail on\b/i, 'forward this email'],
  [/\bwhat you have entered is kept\b/i, "We've kept your place"],
  [/\bwould rather not go on\b/i, 'Changed your mind?'],
  [/\bcode of your phone\b/i, 'code from your phone'],
  [/\blet one person be enough\b|\bask for two people\b/i, 'Approvals are off'],
  [/\byou came by a sign-in link\b/i, 'View only'],
  [/\bthe figures count up to\b|\bless what was taken back\b/i, 'Cleared by, less reversals'],
  [/\bweeks without any count\b/i, "You'll land in this range"],
  [/\bwhat is held is what is owed\b/i, 'Held must equal owed'],
  [/\bevery line is explained\b|\bof this day is unmatched\b/i, 'Nothing unmatched'],
  [/\bof every tenant are debited\b|\bof this tenant is debited\b/i, 'Debits are on for every brand'],
  [/\bwork that failed and\b/i, 'Failed jobs'],
  [/\bhas stayed given\b|\bwas never corrected\b/i, 'Nothing owed. No corrections.'],
  [/\bheld back for claims\b/i, 'No reserve'],
  [/\banother account than\b/i, 'a different account'],
  [/\btakes a second person\b/i, 'needs a second person'],
  [/\bhas to be mended\b|\bto be mended first\b/i, 'Fix Brand to save'],
  [/\bhas a contrast of\b/i, 'is hard to read'],
  [/\bdrawn by the app itself\b|\bnothing reads it\b/i, 'Live preview'],
  [/\bconfirmed who they are\b/i, 'Verified with passkey'],
  [/\btenant files taken\b/i, 'Imported brand files'],
  [/\bchecked up to checkpoint\b/i, 'Verified to'],
];

/** Returns each unspoken turn among a file's texts, with what is said instead. */
export function unspokenTurns({ path }: Pick<SourceFile, 'path'>, texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    unspoken
      .filter(([turn]) => turn.test(text))
      .map(([turn, spoken]) => `${path}: "${turn.exec(text)?.[0]}" in "${text.slice(0, 80)}"; say "${spoken}"`),
  );
}
