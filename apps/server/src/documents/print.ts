import { withoutFormatControls } from '@sparechange/domain';
import type { Content, CustomTableLayout, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { problemsOfLogo } from '#tenants/check-logo.ts';
import type { DocumentBlock, DocumentTable, PrintedDocument } from './document.ts';
import { writePdf } from './pdf.ts';

const margin = 56;
/** Width of an A4 page in points. */
const pageWidth = 595.28;
const ink = '#16191b';
const mutedInk = '#5b6266';
const hairline = '#dde1e3';

/** Letters are kerned and figures have equal widths; further font features would make it ten times slower. */
const typography: Pick<TDocumentDefinitions, 'defaultStyle' | 'styles'> = {
  defaultStyle: { font: 'Inter', fontSize: 10, color: ink, lineHeight: 1.2, fontFeatures: ['kern'] },
  styles: {
    title: { fontSize: 24, bold: true, characterSpacing: -0.4 },
    subtitle: { fontSize: 11, color: mutedInk },
    total: { fontSize: 30, bold: true, characterSpacing: -0.6, lineHeight: 1, fontFeatures: ['kern', 'tnum'] },
    heading: { fontSize: 13, bold: true, margin: [0, 14, 0, 4] },
    head: { fontSize: 8.5, color: mutedInk },
    label: { color: mutedInk },
    sum: { bold: true },
    figure: { alignment: 'right', fontFeatures: ['kern', 'tnum'] },
    small: { fontSize: 8.5, color: mutedInk, margin: [0, 0, 0, 6] },
    foot: { fontSize: 8, color: mutedInk },
  },
};

/** Draws hairlines between rows, a dark one above the total. */
const ruledLayout: CustomTableLayout = {
  hLineWidth: (index, { table: { body } }) => (index === 0 || index === body.length ? 0 : 0.75),
  hLineColor: (index, { table: { body } }) => (index === body.length - 1 ? ink : hairline),
  vLineWidth: () => 0,
  paddingLeft: (index) => (index === 0 ? 0 : 12),
  paddingRight: () => 0,
  paddingTop: () => 2.5,
  paddingBottom: () => 1.25,
};
const panelLayout: CustomTableLayout = {
  defaultBorder: false,
  fillColor: '#f3f5f5',
  paddingLeft: () => 16,
  paddingRight: () => 16,
  paddingTop: () => 11,
  paddingBottom: () => 9,
};

/** Renders an A4 PDF; equal documents give equal bytes. */
export function printDocument(document: PrintedDocument): Promise<Uint8Array> {
  const { title, brand, madeAt, foot, blocks } = document;
  return writePdf({
    ...typography,
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, 64],
    info: {
      title: withoutFormatControls(title),
      author: brand.name,
      producer: 'Sparechange',
      creator: 'Sparechange',
      creationDate: madeAt,
      modDate: madeAt,
    },
    background: (page) =>
      page === 1 ? { canvas: [{ type: 'rect', x: 0, y: 0, w: pageWidth, h: 6, color: brand.accent }] } : null,
    content: [...headOf(document), ...blocks.map(contentOf)],
    // At the foot of a page, a heading would be left alone.
    pageBreakBefore: ({ style, startPosition }) => style === 'heading' && startPosition.verticalRatio > 0.85,
    footer: (page, pages) => ({
      style: 'foot',
      margin: [margin, 16, margin, 0],
      columnGap: 16,
      columns: [
        { text: withoutFormatControls(foot) },
        { text: pages > 1 ? `Page ${page} of ${pages}` : '', width: 'auto' },
      ],
    }),
  });
}

/** Renders a page with nothing but a logo, to test that it prints. */
export const printLogo = (svg: string): Promise<Uint8Array> =>
  writePdf({ defaultStyle: { font: 'Inter' }, content: [{ svg, font: 'Inter', fit: [300, 64] }] });

function headOf({ title, subtitle, brand, figure }: PrintedDocument): Content[] {
  return [
    brand.logo && problemsOfLogo(brand.logo, 'wide').length === 0
      ? { svg: brand.logo, font: 'Inter', fit: [300, 32], margin: [0, -18, 0, 17] }
      : { text: withoutFormatControls(brand.name), fontSize: 16, bold: true, margin: [0, -12, 0, 17] },
    {
      columnGap: 16,
      margin: [0, 0, 0, 16],
      columns: [
        { margin: [0, 11, 0, 0], stack: [textOf(title, 'title'), textOf(subtitle, 'subtitle')] },
        { width: 'auto', alignment: 'right', stack: [textOf(figure.label, 'label'), textOf(figure.value, 'total')] },
      ],
    },
  ];
}

const textOf = (text: string, style?: string | string[]) => ({
  text: withoutFormatControls(text),
  ...(style && { style }),
});

function contentOf(block: DocumentBlock): Content {
  switch (block.kind) {
    case 'facts':
      return {
        layout: 'noBorders',
        margin: [0, 0, 0, 8],
        table: {
          widths: [120, '*'],
          body: block.facts.map(([label, value]) => [textOf(label, 'label'), textOf(value)]),
        },
      };
    case 'table':
      return tableOf(block);
    case 'note':
      return {
        layout: panelLayout,
        margin: [0, 0, 0, 12],
        table: { widths: ['*'], dontBreakRows: true, body: [[textOf(block.text)]] },
      };
    default:
      return textOf(block.text, block.kind);
  }
}

/**
 * Returns a table. Of the columns without a width, the first takes the remaining width, and the others hold figures.
 */
function tableOf({ columns, rows, total }: DocumentTable): Content {
  const flexibleColumn = columns.findIndex(({ width }) => width === undefined);
  const isFigure = (index: number) => index !== flexibleColumn && columns[index]?.width === undefined;
  const row = (cells: string[], ...styles: string[]) =>
    cells.map((cell, index) => textOf(cell, isFigure(index) ? [...styles, 'figure'] : styles));
  return {
    layout: ruledLayout,
    fontSize: columns.length > 4 ? 9 : 10,
    margin: [0, 0, 0, 10],
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ width }, index) => width ?? (isFigure(index) ? 'auto' : '*')),
      body: [
        row(
          columns.map(({ head }) => head),
          'head',
        ),
        ...rows.map((cells) => row(cells)),
        row(total, 'sum'),
      ],
    },
  };
}
