/** An escaped NUL or surrogate, which JSON must always escape. */
const unsafeEscape = /\\u(0000|d[89a-f])/i;

/**
 * JSON of a provider, its texts such as a database can keep: halves of surrogate pairs and NULs, which a bank's statement
 * may hold and PostgreSQL does not, become replacement characters. Undefined where it is no JSON.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, unsafeEscape.test(text) ? (_name, value: unknown) => kept(value) : undefined);
  } catch {
    return undefined;
  }
}

const kept = (value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
