import { readSvg, type SvgTag } from '#tenants/read-svg.ts';

type Pdf = PDFKit.PDFDocument;
type Attributes = SvgTag['attributes'];

const shapes = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);
/** Elements that describe the picture without showing anything. */
const silent = new Set(['title', 'desc']);

const numbers = (text: string | undefined): number[] =>
  (text?.match(/-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);

/** Returns the width of a logo of that height; undefined for one that is more than plain shapes. */
export function logoWidth(svg: string, height: number): number | undefined {
  const tags = readSvg(svg) ?? [];
  const isPlain = tags.every(({ name }) => name === 'svg' || name === 'g' || shapes.has(name) || silent.has(name));
  const [, , width = 0, high = 0] = numbers(tags[0]?.attributes.get('viewBox'));
  return isPlain && width > 0 && high > 0 ? (width / high) * height : undefined;
}

/** Draws a logo of plain shapes at its top-left corner. */
export function drawLogo(pdf: Pdf, svg: string, { x, y, height }: { x: number; y: number; height: number }): void {
  const inherited: Attributes[] = [];
  for (const { name, isEnd, attributes } of readSvg(svg) ?? []) {
    if (isEnd && (name === 'svg' || name === 'g')) {
      inherited.pop();
      pdf.restore();
    } else if (name === 'svg' || name === 'g') {
      pdf.save();
      const [left = 0, top = 0, , high = height] = numbers(attributes.get('viewBox'));
      if (name === 'svg')
        pdf
          .translate(x, y)
          .scale(height / high)
          .translate(-left, -top);
      transform(pdf, attributes);
      inherited.push(new Map([...(inherited.at(-1) ?? []), ...attributes]));
    } else if (!isEnd && shapes.has(name)) {
      pdf.save();
      transform(pdf, attributes);
      drawShape(pdf, name, attributes, inherited.at(-1) ?? new Map());
      pdf.restore();
    }
  }
}

function transform(pdf: Pdf, attributes: Attributes): void {
  for (const [, how, given] of (attributes.get('transform') ?? '').matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [a = 0, b, c, d = 0, e = 0, f = 0] = numbers(given);
    if (how === 'translate') pdf.translate(a, b ?? 0);
    if (how === 'scale') pdf.scale(a, b ?? a);
    if (how === 'rotate') pdf.rotate(a, { origin: [b ?? 0, c ?? 0] });
    if (how === 'matrix') pdf.transform(a, b ?? 0, c ?? 0, d, e, f);
  }
}

function outline(pdf: Pdf, name: string, own: Attributes): void {
  const at = (key: string) => Number(own.get(key) ?? 0);
  const points = numbers(own.get('points'));
  const pairs = points.flatMap((value, index) =>
    index % 2 ? [] : [[value, points[index + 1] ?? 0] as [number, number]],
  );
  switch (name) {
    case 'path':
      pdf.path(own.get('d') ?? '');
      break;
    case 'rect':
      if (own.has('rx')) pdf.roundedRect(at('x'), at('y'), at('width'), at('height'), at('rx'));
      else pdf.rect(at('x'), at('y'), at('width'), at('height'));
      break;
    case 'circle':
      pdf.circle(at('cx'), at('cy'), at('r'));
      break;
    case 'ellipse':
      pdf.ellipse(at('cx'), at('cy'), at('rx'), at('ry'));
      break;
    case 'line':
      pdf.moveTo(at('x1'), at('y1')).lineTo(at('x2'), at('y2'));
      break;
    case 'polygon':
      pdf.polygon(...pairs);
      break;
    case 'polyline':
      for (const [index, [left, top]] of pairs.entries()) index === 0 ? pdf.moveTo(left, top) : pdf.lineTo(left, top);
  }
}

function drawShape(pdf: Pdf, name: string, own: Attributes, inherited: Attributes): void {
  const look = (key: string) => own.get(key) ?? inherited.get(key);
  const fill = look('fill') ?? '#000000';
  const stroke = look('stroke') ?? 'none';
  const opacity = Number(look('opacity') ?? 1);
  pdf.fillOpacity(opacity * Number(look('fill-opacity') ?? 1));
  pdf.strokeOpacity(opacity * Number(look('stroke-opacity') ?? 1));
  pdf.lineWidth(Number(look('stroke-width') ?? 1));
  pdf.lineCap((look('stroke-linecap') ?? 'butt') as 'butt' | 'round' | 'square');
  pdf.lineJoin((look('stroke-linejoin') ?? 'miter') as 'miter' | 'round' | 'bevel');
  const [dash, space] = numbers(look('stroke-dasharray'));
  if (dash !== undefined) pdf.dash(dash, { space: space ?? dash, phase: Number(look('stroke-dashoffset') ?? 0) });
  outline(pdf, name, own);
  const rule = look('fill-rule') === 'evenodd' ? 'even-odd' : 'non-zero';
  if (fill !== 'none' && stroke !== 'none') pdf.fillAndStroke(fill, stroke, rule);
  else if (fill !== 'none') pdf.fill(fill, rule);
  else if (stroke !== 'none') pdf.stroke(stroke);
}
