import { SaxesParser } from 'saxes';
import { quoted } from '#errors.ts';
import { StatementProblem } from './statement-file.ts';

/** An element's text; or its children, attributes ("@Ccy") and text ("#text") by their names. */
export type XmlContent = string | { [name: string]: XmlContent | XmlContent[] } | Replaced;

/** Stands in the place of an element's content. */
export class Replaced {}

/** Replaces an element's content when it ends, so that a large file is never held whole; undefined keeps it. */
export type ReplaceContent = (parent: string, name: string, content: XmlContent) => Replaced | undefined;

/** Messages of ISO 20022 are nested far less deeply. */
const maxDepth = 100;

/** Names with a meaning in JavaScript, which no message has. */
const reservedNames = ['__proto__', 'constructor', 'prototype'];

interface OpenElement {
  name: string;
  parent?: OpenElement;
  depth: number;
  named: Record<string, XmlContent | XmlContent[]>;
  text: string;
}

/** Characters that the parser is given in one piece: it keeps what it was given until it has read it. */
const piece = 65_536;

/** Banks choose their own prefixes. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function openElement(parent: OpenElement, name: string, attributes: Record<string, string>): OpenElement {
  const depth = parent.depth + 1;
  const local = localName(name);
  const attributeNames = Object.keys(attributes);
  const isRefused = [local, ...attributeNames.map(localName)].some((each) => reservedNames.includes(each));
  if (isRefused || depth > maxDepth)
    throw new StatementProblem(`This is no camt.053 statement: it has no element ${quoted(name)} in level ${depth}.`);
  const named: OpenElement['named'] = {};
  for (const attribute of attributeNames)
    if (!/^xmlns(:|$)/.test(attribute)) named[`@${localName(attribute)}`] = attributes[attribute]?.trim() ?? '';
  return { name: local, parent, depth, named, text: '' };
}

function contentOf({ named, text }: OpenElement): XmlContent {
  const words = text.trim();
  for (const _ in named) {
    if (words) named['#text'] = words;
    return named;
  }
  return words;
}

/** Closes an element; returns its parent, now with its content. */
function closeElement(element: OpenElement, replace: ReplaceContent): OpenElement {
  const { name, parent = element } = element;
  const known = Object.hasOwn(parent.named, name) ? parent.named[name] : undefined;
  const own = contentOf(element);
  const content = replace(parent.name, name, own) ?? own;
  if (Array.isArray(known)) known.push(content);
  else parent.named[name] = known === undefined ? content : [known, content];
  return parent;
}

/**
 * Returns the content of an XML file by local names. Throws StatementProblem if it has a document type, or is not
 * well-formed, with the line.
 */
export function readXml(file: string, replace: ReplaceContent = () => undefined): XmlContent {
  const document: OpenElement = { name: '', depth: 0, named: {}, text: '' };
  let current = document;
  const addText = (text: string) => {
    current.text += text;
  };
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', () => {
    throw new StatementProblem('A statement has no document type of its own.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    current = openElement(current, name, attributes);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    current = closeElement(current, replace);
  });
  try {
    for (let start = 0; start < file.length; start += piece) parser.write(file.slice(start, start + piece));
    parser.close();
  } catch (error) {
    if (error instanceof StatementProblem) throw error;
    throw new StatementProblem(`The XML is broken in line ${parser.line}: ${(error as Error).message}`);
  }
  return contentOf(document);
}
