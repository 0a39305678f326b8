import { SaxesParser } from 'saxes';
import { quoted } from '#errors.ts';
import { StatementProblem } from './statement-file.ts';

/** An element's text; or its children, attributes ("@Ccy") and text ("#text") by their names. */
export type XmlContent = string | { [name: string]: XmlContent | XmlContent[] };

/** Messages of ISO 20022 are nested far less deeply. */
const maxDepth = 100;

/** Names with a meaning in JavaScript, which no message has. */
const reservedNames = ['__proto__', 'constructor', 'prototype'];

interface OpenElement {
  name: string;
  parent?: OpenElement;
  depth: number;
  named: Map<string, XmlContent | XmlContent[]>;
  text: string;
}

/** Banks choose their own prefixes. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function openElement(parent: OpenElement, name: string, attributes: Record<string, string>): OpenElement {
  const depth = parent.depth + 1;
  const isRefused = [name, ...Object.keys(attributes)].some((each) => reservedNames.includes(localName(each)));
  if (isRefused || depth > maxDepth)
    throw new StatementProblem(`This is no camt.053 statement: it has no element ${quoted(name)} in level ${depth}.`);
  const named = Object.entries(attributes)
    .filter(([attribute]) => !/^xmlns(:|$)/.test(attribute))
    .map(([attribute, value]) => [`@${localName(attribute)}`, value.trim()] as const);
  return { name: localName(name), parent, depth, named: new Map(named), text: '' };
}

function contentOf({ named, text }: OpenElement): XmlContent {
  const words = text.trim();
  if (named.size === 0) return words;
  return Object.fromEntries(words ? [...named, ['#text', words]] : named);
}

/** Closes an element; returns its parent, now with its content. */
function closeElement(element: OpenElement): OpenElement {
  const { name, parent = element } = element;
  const known = parent.named.get(name);
  const content = contentOf(element);
  if (Array.isArray(known)) known.push(content);
  else parent.named.set(name, known === undefined ? content : [known, content]);
  return parent;
}

/**
 * Returns the content of an XML file by local names. Throws StatementProblem if it has a document type, or is not
 * well-formed, with the line.
 */
export function readXml(file: string): XmlContent {
  const document: OpenElement = { name: '', depth: 0, named: new Map(), text: '' };
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
    current = closeElement(current);
  });
  try {
    parser.write(file).close();
  } catch (error) {
    if (error instanceof StatementProblem) throw error;
    throw new StatementProblem(`The XML is broken in line ${parser.line}: ${(error as Error).message}`);
  }
  return contentOf(document);
}
