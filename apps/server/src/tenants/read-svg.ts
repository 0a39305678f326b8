import { SaxesParser } from 'saxes';

/** The begin or end of an element. An empty element has both. */
export interface SvgTag {
  name: string;
  isEnd: boolean;
  /** As written, with references resolved. */
  attributes: ReadonlyMap<string, string>;
}

function refuse(): never {
  throw new Error('An SVG of ours has elements, text and comments alone.');
}

/**
 * Returns the tags of an SVG in order; undefined unless it is well-formed XML with no document type, processing
 * instruction, CDATA or entity of its own.
 */
export function readSvg(text: string): SvgTag[] | undefined {
  const tags: SvgTag[] = [];
  const parser = new SaxesParser();
  parser.on('doctype', refuse);
  parser.on('processinginstruction', refuse);
  parser.on('cdata', refuse);
  parser.on('opentag', ({ name, attributes }) => {
    tags.push({ name, isEnd: false, attributes: new Map(Object.entries(attributes)) });
  });
  parser.on('closetag', ({ name }) => void tags.push({ name, isEnd: true, attributes: new Map() }));
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return tags[0]?.name === 'svg' ? tags : undefined;
}
