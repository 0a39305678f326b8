import { InvalidInput } from './errors.ts';

/** XML declarations are shorter than this. */
const declarationBytes = 200;

/** Decodes a file from outside in an undeclared encoding; throws InvalidInput rather than lose a letter. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(bytes);
  if (encoding !== undefined) return decodeAs(encoding, bytes);
  // Spreadsheets save a CSV in the code page of Windows, whose letters are hardly ever valid as UTF-8.
  return tryUtf8(bytes) ?? decodeAs('windows-1252', bytes);
}

/** Finds the encoding that a byte order mark names, or that the NUL bytes beside ASCII letters give away. */
function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0) return 'utf-16le';
  return first === 0 && second ? 'utf-16be' : undefined;
}

/** Returns the encoding of XML: as declared, else UTF-8; undefined for a file that is not XML. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1').trimStart();
  if (!start.startsWith('<')) return undefined;
  const [declaration = ''] = /^<\?xml[^>]*/.exec(start) ?? [];
  const [, name = 'utf-8'] = /encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration) ?? [];
  // A declaration that can be read byte by byte is in no encoding of two bytes a letter.
  if (/^utf-?16|^iso-10646-ucs-2|^ucs-?2/i.test(name)) return 'utf-8';
  return name.toLowerCase() === 'usascii' ? 'us-ascii' : name.toLowerCase(); // as OFX spells it
}

function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes by a label of the Encoding Standard, in which ISO-8859-1 is another name of Windows-1252. */
function decodeAs(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const name = encoding.slice(0, 40);
    throw new InvalidInput(
      error instanceof RangeError
        ? `The file says that its encoding is ${name}, which cannot be read here. Save it as UTF-8.`
        : `The file should be ${name.toUpperCase()}, but some of its bytes are not. Export it again, or save it as UTF-8.`,
    );
  }
}
