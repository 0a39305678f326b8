import { createHash } from 'node:crypto';
import { problemsOfExtent, problemsOfNumbers, sidesOf } from './measure-drawing.ts';
import { readSvg } from './read-svg.ts';

/** Limits what every page's first paint loads over poor lines. */
export const largestLogoBytes = 50_000;

/** Shapes and words only: nothing runs, loads, links or moves. */
const elements = new Set(
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc text tspan use symbol'.split(
    ' ',
  ),
);

/** Functions that load nothing: colours, transformations and references, which are looked at besides. */
const functions = new Set('url rgb rgba hsl hsla matrix translate scale rotate skewX skewY'.split(' '));

function problemOfAttribute(name: string, value: string): string | undefined {
  if (/^(id|class|(aria|data)-.*)$/.test(name)) return undefined;
  if (value.includes('\\')) return `${name} has a backslash, which may hide what CSS reads`;
  if (/^on/i.test(name)) return `${name} runs a script`;
  if (name === 'style') return 'style may load from elsewhere; use attributes';
  if (/(^|:)href$/i.test(name) && !/^#[^%]*$/.test(value)) return `${name} refers to ${value.slice(0, 40)}`;
  if (/url\(\s*['"]?(?!#)[^'")\s]/i.test(value)) return `${name} refers to ${value.slice(0, 40)}`;
  const strange = [...value.matchAll(/[\w-]{1,20}(?=\()/g)].find(
    ([called]) => !functions.has(called.replace(/^URL$/i, 'url')),
  );
  if (strange) return `${name} calls ${strange[0]}()`;
  return undefined;
}

/** `wide`: the page head's 200 × 40. `mark`: the dashboard's square. `picture`: the 16 to 9 of a club's page. */
export type LogoShape = 'wide' | 'mark' | 'picture';

const maxKept = 500;
const kept = new Map<string, boolean>();

/** Returns whether a logo passes all checks; caches the answer. */
export function isTrustedLogo(text: string, shape: LogoShape): boolean {
  const name = createHash('sha256').update(`${shape} ${text}`).digest('base64url');
  const before = kept.get(name);
  if (before !== undefined) return before;
  for (const oldest of kept.keys()) {
    if (kept.size < maxKept) break;
    kept.delete(oldest);
  }
  const isTrusted = problemsOfLogo(text, shape).length === 0;
  kept.set(name, isTrusted);
  return isTrusted;
}

/** Draws a logo of a shape once, or a picture of pixels, and returns why it may not be used. */
export type TryLogo = (drawing: string | Buffer, shape: LogoShape) => Promise<string[]>;

function problemOfShape(attributes: ReadonlyMap<string, string>, shape: LogoShape): string | undefined {
  const sides = sidesOf(attributes);
  if (!sides) return 'no viewBox, so it cannot be drawn at the size of its place';
  const { width, height } = sides;
  if (shape === 'mark' && width !== height) return `${width} × ${height} is not square`;
  if (shape === 'wide' && (width < 2 * height || width > 8 * height))
    return `${width} × ${height} is not 2 to 8 times as wide as high`;
  if (shape === 'picture' && width * 9 !== height * 16) return `${width} × ${height} is not 16 to 9`;
  return undefined;
}

/** Limits what references make of a logo: shapes that repeat shapes that repeat shapes would be drawn without end. */
const largestDrawing = 10 * largestLogoBytes;

/** Matches an entity that XML does not predefine. */
const ownEntity = /&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i;

/**
 * Returns the problems of an SVG as a logo. Only plain elements, attributes and text are trusted: no document type, no
 * entities of its own, no styles.
 */
export function problemsOfLogo(text: string, shape: LogoShape): string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > largestLogoBytes) return [`${bytes} bytes, more than ${largestLogoBytes}`];
  const tags = readSvg(text);
  if (!tags) return [!text.includes('<!DOCTYPE') && ownEntity.test(text) ? 'entities of its own' : 'not a plain SVG'];
  const problems = new Set<string>();
  for (const { name, attributes } of tags) {
    if (!elements.has(name)) problems.add(`<${name}> is not allowed`);
    for (const [attribute, value] of attributes) {
      const problem = problemOfAttribute(attribute, value);
      if (problem) problems.add(problem);
    }
  }
  for (const problem of [...problemsOfExtent(tags, largestDrawing), ...problemsOfNumbers(tags)]) problems.add(problem);
  const ofShape = problemOfShape(tags[0]?.attributes ?? new Map(), shape);
  return [...problems, ...(ofShape ? [ofShape] : [])];
}
