import { createRequire } from 'node:module';
import { withoutFormatControls } from '@sparechange/domain';
import Pdf from 'pdfkit';
import type { DocumentBlock, DocumentTable, PrintedDocument } from './document.ts';
import { drawLogo, logoWidth } from './draw-logo.ts';

const { resolve } = createRequire(import.meta.url);
const inter = (name: string): string => resolve(`@expo-google-fonts/inter/${name}/Inter_${name}.ttf`);

const [width, height] = [595.28, 841.89]; // A4 in points
const margin = 56;
const column = width - 2 * margin;
const bottom = height - 64;
const ink = '#16191b';
const quiet = '#5b6266';
const hairline = '#dde1e3';
/** Letters are kerned, and figures stand under each other; more than that would take ten times as long. */
const featuresOf = (align: TextOptions['align']): PDFKit.Mixins.OpenTypeFeatures[] =>
  align === 'right' ? ['kern', 'tnum'] : ['kern'];

type Paper = PDFKit.PDFDocument;
type TextOptions = PDFKit.Mixins.TextOptions;

interface Look {
  size: number;
  colour?: string;
  isStrong?: boolean;
}

/** Writes text at the pen or at the given place. */
function write(
  paper: Paper,
  text: string,
  { size, colour = ink, isStrong = false }: Look,
  options: TextOptions & { x?: number; y?: number } = {},
): void {
  const { x = margin, y = paper.y, ...rest } = options;
  paper.font(isStrong ? 'strong' : 'plain', size).fillColor(colour);
  paper.text(withoutFormatControls(text), x, y, {
    width: column,
    features: featuresOf(rest.align),
    lineGap: size * 0.25,
    ...rest,
  });
}

/** Begins a new page if less than `room` is left. */
function leave(paper: Paper, room: number): void {
  if (paper.y + room > bottom) paper.addPage();
}

const rule = (paper: Paper, y: number, colour = hairline): void => {
  paper
    .lineWidth(0.75)
    .strokeColor(colour)
    .moveTo(margin, y)
    .lineTo(margin + column, y)
    .stroke();
};

/** Returns an A4 PDF; equal documents give the same bytes. */
export async function printDocument(document: PrintedDocument): Promise<Uint8Array> {
  const { title, brand, madeAt } = document;
  const paper = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en-AU',
    displayTitle: true,
    pdfVersion: '1.7',
    font: inter('400Regular'),
    info: {
      Title: withoutFormatControls(title),
      Author: brand.name,
      Producer: 'Sparechange',
      Creator: 'Sparechange',
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
  const chunks: Buffer[] = [];
  paper.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((done) => paper.on('end', done));
  paper.registerFont('plain', inter('400Regular')).registerFont('strong', inter('600SemiBold'));
  paper.on('pageAdded', () => {
    paper.x = margin;
    paper.y = margin;
  });
  head(paper, document);
  for (const block of document.blocks) draw(paper, block);
  foot(paper, document);
  paper.end();
  await ended;
  return Buffer.concat(chunks);
}

function head(paper: Paper, { title, subtitle, brand, figure }: PrintedDocument): void {
  const logoHeight = 32;
  paper.rect(0, 0, width, 6).fill(brand.accent);
  if (brand.logo && logoWidth(brand.logo, logoHeight))
    drawLogo(paper, brand.logo, { x: margin, y: 38, height: logoHeight });
  else write(paper, brand.name, { size: 16, isStrong: true }, { y: 44 });
  write(paper, title, { size: 24, isStrong: true }, { y: 98, width: column * 0.6, characterSpacing: -0.4 });
  write(paper, subtitle, { size: 11, colour: quiet }, { y: paper.y + 2 });
  paper.y += 16;
  const below = paper.y;
  write(paper, figure.label, { size: 10, colour: quiet }, { y: 87, align: 'right' });
  write(paper, figure.value, { size: 30, isStrong: true }, { y: 100, align: 'right', characterSpacing: -0.6 });
  paper.y = below;
}

function draw(paper: Paper, block: DocumentBlock): void {
  switch (block.kind) {
    case 'heading':
      leave(paper, 110);
      paper.y += 14;
      write(paper, block.text, { size: 13, isStrong: true });
      paper.y += 4;
      break;
    case 'facts':
      for (const [label, value] of block.facts) fact(paper, label, value);
      paper.y += 8;
      break;
    case 'table':
      table(paper, block);
      break;
    case 'text':
      leave(paper, 30);
      write(paper, block.text, { size: 10 });
      paper.y += 8;
      break;
    case 'note':
      note(paper, block.text);
      break;
    case 'small':
      leave(paper, 30);
      write(paper, block.text, { size: 8.5, colour: quiet });
      paper.y += 6;
  }
}

const labelWidth = 120;

function fact(paper: Paper, label: string, value: string): void {
  leave(paper, 16);
  const top = paper.y;
  write(paper, label, { size: 10, colour: quiet }, { y: top, width: labelWidth });
  write(paper, value, { size: 10 }, { x: margin + labelWidth, y: top, width: column - labelWidth });
  paper.y += 3;
}

function note(paper: Paper, text: string): void {
  const inside = column - 32;
  paper.font('plain', 10);
  const high = paper.heightOfString(text, { width: inside, lineGap: 2.5, features: featuresOf('left') }) + 22;
  leave(paper, high);
  const top = paper.y;
  paper.roundedRect(margin, top, column, high, 10).lineWidth(0.75).strokeColor(hairline).stroke();
  write(paper, text, { size: 10 }, { x: margin + 16, y: top + 12, width: inside });
  paper.y = top + high + 12;
}

const rowHeight = 19;

interface Column {
  x: number;
  width: number;
  align: 'left' | 'right';
}

/** Many columns narrow the first and make the figures smaller. */
const isDense = (columns: DocumentTable['columns']): boolean => columns.length > 4;

function layOut(columns: DocumentTable['columns']): Column[] {
  const wide = columns.findIndex(({ width }) => width === undefined);
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const figures = columns.filter(({ width }, at) => width === undefined && at !== wide).length;
  const share = isDense(columns) ? 0.87 : 0.72;
  const figureWidth = Math.min(92, ((column - fixed) * share) / Math.max(1, figures));
  let x = margin;
  return columns.map(({ width: own }, at) => {
    const isFigure = own === undefined && at !== wide;
    const width = own ?? (isFigure ? figureWidth : column - fixed - figures * figureWidth);
    const laid: Column = { x, width, align: isFigure ? 'right' : 'left' };
    x += width;
    return laid;
  });
}

function table(paper: Paper, { columns, rows, total }: DocumentTable): void {
  const laid = layOut(columns);
  const size = isDense(columns) ? 9 : 10;
  const row = (cells: string[], look: Look) => {
    const top = paper.y;
    for (const [at, { x, width, align }] of laid.entries()) {
      const room = align === 'left' ? width - 8 : width;
      const oneLine = { lineBreak: false, ellipsis: true, height: rowHeight };
      write(paper, cells[at] ?? '', look, { x, y: top + 4.5, width: room, align, ...oneLine });
    }
    paper.y = top + rowHeight;
  };
  const begin = () => {
    row(
      columns.map(({ head }) => head),
      { size: 8.5, colour: quiet },
    );
    rule(paper, paper.y);
  };
  leave(paper, rowHeight * 3);
  begin();
  for (const [at, cells] of rows.entries()) {
    if (paper.y + rowHeight > bottom) {
      paper.addPage();
      begin();
    }
    row(cells, { size });
    if (at < rows.length - 1) rule(paper, paper.y);
  }
  leave(paper, rowHeight);
  rule(paper, paper.y, ink);
  row(total, { size, isStrong: true });
  paper.y += 10;
}

function foot(paper: Paper, { foot: text }: PrintedDocument): void {
  const { start, count } = paper.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    paper.switchToPage(page);
    write(
      paper,
      text,
      { size: 8, colour: quiet },
      { y: height - 48, width: column - 80, lineBreak: false, ellipsis: true, height: 12 },
    );
    const number = count > 1 ? `Page ${page + 1} of ${count}` : '';
    write(paper, number, { size: 8, colour: quiet }, { y: height - 48, align: 'right' });
  }
}
