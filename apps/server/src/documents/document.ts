export interface DocumentBrand {
  name: string;
  /** The text of an SVG. Where there is none, or one that tenants may not have, the name stands in its place. */
  logo: string | undefined;
  /** Colour of the line at the top, `#rrggbb`. */
  accent: string;
}

export interface DocumentTable {
  kind: 'table';
  /** Columns with a width in points are text; of those without, the first is text over what is left, others are figures. */
  columns: { head: string; width?: number }[];
  rows: string[][];
  /** Set apart under the rows; empty where nothing is summed. */
  total: string[];
}

export type DocumentBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] }
  | DocumentTable
  | { kind: 'text'; text: string }
  /** A note on a tinted panel. */
  | { kind: 'note'; text: string }
  | { kind: 'small'; text: string };

/** A document's content in order; print.ts decides the layout. */
export interface PrintedDocument {
  title: string;
  /** Under the title. */
  subtitle: string;
  brand: DocumentBrand;
  /** The total, beside the title. */
  figure: { label: string; value: string };
  blocks: DocumentBlock[];
  /** At the foot of each page, beside its number. */
  foot: string;
  madeAt: Date;
}
