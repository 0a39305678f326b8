import { readSvg, type SvgTag } from './read-svg.ts';

/** Limits what every page's first paint loads over poor lines. */
export const largestLogoBytes = 50_000;

/** Shapes and words only: nothing runs, loads, links or moves. */
const elements = new Set(
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc text tspan use symbol'.split(
    ' ',
  ),
);

function problemOfAttribute(name: string, value: string): string | undefined {
  if (/^on/i.test(name)) return `${name} runs a script`;
  if (name === 'style') return 'style may load from elsewhere; use attributes';
  if (/(^|:)href$/i.test(name) && !/^#[^%]*$/.test(value)) return `${name} refers to ${value.slice(0, 40)}`;
  if (/url\(\s*['"]?(?!#)[^'")\s]/i.test(value)) return `${name} refers to ${value.slice(0, 40)}`;
  return undefined;
}

/** `wide`: the page head's 200 × 40. `mark`: the dashboard's square. `picture`: the 16 to 9 of a club's page. */
export type LogoShape = 'wide' | 'mark' | 'picture';

function problemOfShape(attributes: ReadonlyMap<string, string>, shape: LogoShape): string | undefined {
  const box =
    attributes
      .get('viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [, , width = 0, height = 0] = box;
  if (box.length !== 4 || !(width > 0 && height > 0))
    return 'no viewBox, so it cannot be drawn at the size of its place';
  if (shape === 'mark' && width !== height) return `${width} × ${height} is not square`;
  if (shape === 'wide' && (width < 2 * height || width > 8 * height))
    return `${width} × ${height} is not 2 to 8 times as wide as high`;
  if (shape === 'picture' && width * 9 !== height * 16) return `${width} × ${height} is not 16 to 9`;
  return undefined;
}

/** Limits what references make of a logo: shapes that repeat shapes that repeat shapes would be drawn without end. */
const largestDrawing = 10 * largestLogoBytes;

/** Returns the ids of shapes that an element draws besides its own. */
const drawnBy = ({ name, attributes }: SvgTag): string[] => {
  const references = [
    ...(name === 'use' ? [attributes.get('href'), attributes.get('xlink:href')] : []),
    attributes.get('mask'),
    attributes.get('clip-path'),
  ];
  return references.flatMap((reference) => /#([^'")\s]+)/.exec(reference ?? '')?.[1] ?? []);
};

const lengthOf = ({ name, attributes }: SvgTag): number =>
  [...attributes].reduce((sum, [attribute, value]) => sum + attribute.length + value.length, name.length);

/** Returns how much is drawn of an SVG with its references followed; without an end where they go round. */
function sizeOfDrawing(tags: readonly SvgTag[]): number {
  const parts = new Map<string, { first: number; end: number }>();
  const open: { first: number; end: number }[] = [];
  for (const [at, { isEnd, attributes }] of tags.entries()) {
    if (isEnd) {
      const part = open.pop();
      if (part) part.end = at;
      continue;
    }
    const part = { first: at, end: at };
    open.push(part);
    const id = attributes.get('id');
    if (id !== undefined && !parts.has(id)) parts.set(id, part); // of two with one id the first counts
  }
  const known = new Map<string, number>();
  const sizeOf = ({ first, end }: { first: number; end: number }): number =>
    tags
      .slice(first, end)
      .reduce((sum, tag) => sum + lengthOf(tag) + drawnBy(tag).reduce((all, id) => all + sizeOfPart(id), 0), 0);
  const sizeOfPart = (id: string): number => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, Number.POSITIVE_INFINITY); // until it is known: a part that draws itself has no end
    const part = parts.get(id);
    const size = part ? sizeOf(part) : 0;
    known.set(id, size);
    return size;
  };
  return sizeOf({ first: 0, end: tags.length });
}

/** Matches an entity that XML does not define by itself. */
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
  if (sizeOfDrawing(tags) > largestDrawing) problems.add('references repeat more than may be drawn');
  const ofShape = problemOfShape(tags[0]?.attributes ?? new Map(), shape);
  return [...problems, ...(ofShape ? [ofShape] : [])];
}
