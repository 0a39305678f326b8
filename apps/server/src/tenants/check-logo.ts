/** Limits what every page's first paint loads over poor lines. */
export const largestLogoBytes = 50_000;

/** Shapes and words only: nothing runs, loads, links or moves. */
const elements = new Set(
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc text tspan use symbol'.split(
    ' ',
  ),
);

const declaration = /^\uFEFF?\s*(<\?xml [^<>]*\?>)?/;
const tag = /<\/?([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function problemOfAttribute(name: string, value: string): string | undefined {
  if (/^on/i.test(name)) return `${name} runs a script`;
  if (name === 'style') return 'style may load from elsewhere; use attributes';
  if (/(^|:)href$/i.test(name) && !value.startsWith('#')) return `${name} refers to ${value.slice(0, 40)}`;
  if (/url\(\s*['"]?(?!#)[^'")\s]/i.test(value)) return `${name} refers to ${value.slice(0, 40)}`;
  return undefined;
}

/** `wide`: the page head's 200 × 40. `mark`: the dashboard's square. */
export type LogoShape = 'wide' | 'mark';

function problemOfShape(attributes: Map<string, string>, shape: LogoShape): string | undefined {
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
  return undefined;
}

/** Removes comments in one pass, whatever is left open stays. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start + 4);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + 3;
  }
  return kept.join('') + text.slice(from);
}

/**
 * Returns the problems of an SVG as a logo. Only plain elements, attributes and text are trusted: no document type, no
 * entities of its own, no styles.
 */
export function problemsOfLogo(text: string, shape: LogoShape): string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > largestLogoBytes) return [`${bytes} bytes, more than ${largestLogoBytes}`];
  const problems = new Set<string>();
  const body = withoutComments(text.replace(declaration, '')).trim();
  let root: Map<string, string> | undefined;
  const rest = body.replace(tag, (_whole, element: string, written: string) => {
    if (!elements.has(element)) problems.add(`<${element}> is not allowed`);
    const attributes = new Map([...written.matchAll(attribute)].map(([, name = '', a, b]) => [name, a ?? b ?? '']));
    for (const [name, value] of attributes) {
      const problem = problemOfAttribute(name, value);
      if (problem) problems.add(problem);
    }
    root ??= element === 'svg' ? attributes : new Map();
    return '';
  });
  if (/[<>]/.test(rest) || !body.startsWith('<svg') || !body.endsWith('</svg>')) return ['not a plain SVG'];
  if (/&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(body)) problems.add('entities of its own');
  const ofShape = problemOfShape(root ?? new Map(), shape);
  return [...problems, ...(ofShape ? [ofShape] : [])];
}
