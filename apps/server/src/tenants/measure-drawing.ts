import type { SvgTag } from './read-svg.ts';

/** A view box's longer side, in its own unit. */
const [smallestSide, largestSide] = [1, 10_000];
/** Coordinates lie within this many sides of the view box, as programs export what they cut away. */
const largestReach = 100;
/** Dashes shorter than this part of a side cannot be seen, and are drawn one by one. */
const shortestDash = 1 / 200;
/** The most that transformations inside one another may enlarge, and the least that they may leave of an area. */
const [largestGrowth, smallestArea] = [100, 1e-6];
const deepest = 50;
const deepestReferences = 10;

const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
const numbersIn = (text: string): number[] => (text.match(number) ?? []).map(Number);

/** Attributes whose digits are names, colours or words. */
const hasNoNumbers = (name: string): boolean =>
  /^(id|class|href|version|viewBox|fill|stroke|color|stop-color|font-family|clip-path|mask|role|lang)$|:|^xmlns|^(aria|data)-/.test(
    name,
  );

/** Returns the sides of a view box where there is one that can be drawn. */
export function sidesOf(attributes: ReadonlyMap<string, string>): { width: number; height: number } | undefined {
  const box =
    attributes
      .get('viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [, , width = 0, height = 0] = box;
  return box.length === 4 && width > 0 && height > 0 ? { width, height } : undefined;
}

/** Returns numbers of a drawing out of proportion to its view box: they make drawing slow, or fail. */
export function problemsOfNumbers(tags: readonly SvgTag[]): string[] {
  const root = tags[0]?.attributes ?? new Map<string, string>();
  const sides = sidesOf(root);
  if (!sides) return []; // which is a problem of its own
  const side = Math.max(sides.width, sides.height);
  if (!(side >= smallestSide && side <= largestSide) || Math.min(sides.width, sides.height) < smallestSide)
    return [`a view box has sides of ${smallestSide} to ${largestSide}`];
  const isFar = (each: number) => !(Math.abs(each) <= largestReach * side);
  const problems = new Set<string>();
  for (const { attributes } of tags) {
    for (const [name, value] of attributes) {
      if (name === 'viewBox' ? numbersIn(value).some(isFar) : !hasNoNumbers(name) && numbersIn(value).some(isFar))
        problems.add(`${name} has numbers beyond ${largestReach} times the view box`);
    }
    const inner = attributes === root ? undefined : sidesOf(attributes);
    if (inner && Math.min(inner.width, inner.height) < side / largestReach)
      problems.add('a view box inside the drawing is too small');
    const dashes = numbersIn(attributes.get('stroke-dasharray') ?? '');
    if (dashes.length > 0 && dashes.reduce((sum, dash) => sum + dash, 0) < side * shortestDash)
      problems.add('stroke-dasharray has dashes too short to see');
  }
  return [...problems];
}

/** The factors by which a drawing is enlarged at the most, and its area changed. */
interface Scale {
  growth: number;
  area: number;
}

const radians = (degrees = 0): number => (degrees * Math.PI) / 180;

function scaleOfStep(name: string, [a = 0, b = 0, c = 0, d = 0]: number[], count: number): Scale {
  switch (name) {
    case 'matrix':
      return { growth: Math.max(Math.abs(a) + Math.abs(c), Math.abs(b) + Math.abs(d)), area: Math.abs(a * d - b * c) };
    case 'scale': {
      const [x, y] = [Math.abs(a), Math.abs(count > 1 ? b : a)];
      return { growth: Math.max(x, y), area: x * y };
    }
    case 'skewX':
    case 'skewY':
      return { growth: 1 + Math.abs(Math.tan(radians(a))), area: 1 };
    default:
      return { growth: 1, area: 1 };
  }
}

const times = (one: Scale, other: Scale): Scale => ({ growth: one.growth * other.growth, area: one.area * other.area });

function scaleOf(transform: string | undefined): Scale {
  const steps = [...(transform ?? '').matchAll(/([a-z]{1,10})\s{0,9}\(([^()]*)\)/gi)].map(
    ([, name = '', inside = '']) => {
      const numbers = numbersIn(inside);
      return scaleOfStep(name, numbers, numbers.length);
    },
  );
  return steps.reduce(times, { growth: 1, area: 1 });
}

/** The size of all that is drawn, and its extremes, with references followed. */
interface Extent extends Scale {
  characters: number;
}

const nothing: Extent = { characters: 0, growth: 1, area: 1 };
const endless: Extent = { ...nothing, characters: Number.POSITIVE_INFINITY };

/** Returns the ids of what an element draws, or takes over, besides its own. */
const drawnBy = ({ attributes }: SvgTag): string[] => {
  const references = ['href', 'xlink:href', 'mask', 'clip-path'].map((name) => attributes.get(name));
  return references.flatMap((reference) => /#([^'")\s]+)/.exec(reference ?? '')?.[1] ?? []);
};

/** The facts of an element that its measure needs; nothing of an end. */
interface Measured {
  characters: number;
  scale: Scale;
  references: string[];
}

function measured(tag: SvgTag): Measured | undefined {
  if (tag.isEnd) return undefined;
  const { name, attributes } = tag;
  return {
    characters: [...attributes].reduce((sum, [each, value]) => sum + each.length + value.length, name.length),
    scale: times(scaleOf(attributes.get('transform')), scaleOf(attributes.get('gradientTransform'))),
    references: drawnBy(tag),
  };
}

interface Part {
  first: number;
  end: number;
}

/** Returns the parts that have an id; of two with one id the first counts. */
function partsById(tags: readonly SvgTag[]): Map<string, Part> {
  const parts = new Map<string, Part>();
  const open: Part[] = [];
  for (const [at, { isEnd, attributes }] of tags.entries()) {
    if (isEnd) {
      const part = open.pop();
      if (part) part.end = at;
      continue;
    }
    const part = { first: at, end: at };
    open.push(part);
    const id = attributes.get('id');
    if (id !== undefined && !parts.has(id)) parts.set(id, part);
  }
  return parts;
}

/** Returns how much is drawn of an SVG; without an end where references go round, or too deep. */
function extentOfDrawing(tags: readonly SvgTag[]): Extent {
  const parts = partsById(tags);
  const elements = tags.map(measured);
  const known = new Map<string, Extent>();

  const extentOf = ({ first, end }: Part, level: number): Extent => {
    const all = { ...nothing };
    const open: Scale[] = [];
    for (const element of elements.slice(first, end)) {
      if (!element) {
        open.pop();
        continue;
      }
      const here = times(open.at(-1) ?? nothing, element.scale);
      open.push(here);
      all.characters += element.characters;
      for (const { characters, ...inner } of [nothing, ...element.references.map((id) => extentOfPart(id, level))]) {
        const { growth, area } = times(here, inner);
        all.characters += characters;
        all.growth = Math.max(all.growth, growth);
        all.area = Math.min(all.area, area);
      }
    }
    return all;
  };
  const extentOfPart = (id: string, level: number): Extent => {
    const before = known.get(id);
    if (before) return before;
    if (level >= deepestReferences) return endless;
    known.set(id, endless); // until it is known: a part that draws itself has no end
    const part = parts.get(id);
    const extent = part ? extentOf(part, level + 1) : nothing;
    known.set(id, extent);
    return extent;
  };
  return extentOf({ first: 0, end: tags.length }, 0);
}

function depthOf(tags: readonly SvgTag[]): number {
  let [depth, most] = [0, 0];
  for (const { isEnd } of tags) {
    depth += isEnd ? -1 : 1;
    most = Math.max(most, depth);
  }
  return most;
}

/** Returns the problems of what a drawing makes of itself by references, nesting and transformations. */
export function problemsOfExtent(tags: readonly SvgTag[], mostCharacters: number): string[] {
  if (depthOf(tags) > deepest) return [`elements lie more than ${deepest} deep in one another`];
  const { characters, growth, area } = extentOfDrawing(tags);
  if (!(characters <= mostCharacters)) return ['references repeat more than may be drawn'];
  return growth <= largestGrowth && area >= smallestArea
    ? []
    : [`transformations enlarge more than ${largestGrowth} times, or leave nothing`];
}
