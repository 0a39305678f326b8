import { Resvg } from '@resvg/resvg-js';
import { escapeHtml } from '#html.ts';
import { interOptions } from './inter-fonts.ts';

interface Space {
  width: number;
  height: number;
  /** The size that a short text has. */
  largest: number;
  /** From line to line, as a share of the size. */
  leading: number;
  isBold?: boolean;
}

export interface FittedText {
  size: number;
  lines: string[];
}

const smallest = 4;

/** Measures letters at a size of one, in fonts no narrower than those of documents. */
function widthOf(letters: string, isBold: boolean): number {
  const text = `<text y="100" font-size="100" font-family="Inter" font-weight="${isBold ? 700 : 500}">${escapeHtml(letters)}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${text}</svg>`;
  return (new Resvg(svg, interOptions).getBBox()?.width ?? 0) / 100;
}

type Piece = [letters: string, width: number];

/** Fills line after line; a piece wider than a line has one of its own. */
function breakAt(width: number, pieces: Piece[]): string[] {
  const lines: Piece[] = [];
  for (const [letters, wide] of pieces) {
    const last = lines.at(-1);
    if (last && last[1] + wide <= width) lines[lines.length - 1] = [last[0] + letters, last[1] + wide];
    else lines.push([letters, wide]);
  }
  return lines.map(([letters]) => letters.trim());
}

/** Returns all of a text in lines of about one length, as large as its space allows. It breaks after blanks, slashes and hyphens. */
export function fitText(text: string, { width, height, largest, leading, isBold = false }: Space): FittedText {
  const pieces = text
    .split(/(?<=[\s/-])/)
    .map((letters): Piece => [letters, widthOf(letters.trim(), isBold) + (/\s$/.test(letters) ? 0.3 : 0.06)]);
  const widest = Math.max(...pieces.map(([, wide]) => wide));
  for (let size = largest; ; size -= 0.5) {
    const lines = breakAt(width / size, pieces);
    const isFitting = widest * size <= width && (1 + (lines.length - 1) * leading) * size <= height;
    if (isFitting || size <= smallest) return { size, lines: breakEvenly(width / size, pieces) };
  }
}

/** Breaks into no more lines than fit the width, each about as long as the others. */
function breakEvenly(width: number, pieces: Piece[]): string[] {
  let lines = breakAt(width, pieces);
  for (let narrower = width * 0.98; narrower > width / 2; narrower *= 0.98) {
    const next = breakAt(narrower, pieces);
    if (next.length > lines.length) break;
    lines = next;
  }
  return lines;
}
