const maxBytes = 16 * 1_048_576;

/**
 * Keeps pictures in memory by their names, which are derived from their content: the most recently requested, up to a
 * size. Concurrent requests for the same picture wait for the same answer.
 */
export function rememberPictures(
  find: (name: string) => Promise<Buffer | undefined>,
  most = maxBytes,
): (name: string) => Promise<Buffer | undefined> {
  const kept = new Map<string, Buffer>(); // the least recently requested comes first
  const asking = new Map<string, Promise<Buffer | undefined>>();
  let bytes = 0;

  const keep = (name: string, content: Buffer): void => {
    kept.set(name, content);
    bytes += content.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= most) break;
      kept.delete(oldest);
      bytes -= length;
    }
  };
  const ask = async (name: string): Promise<Buffer | undefined> => {
    const content = await find(name);
    if (content) keep(name, content);
    return content;
  };

  return async (name) => {
    const known = kept.get(name);
    if (known) {
      kept.delete(name);
      kept.set(name, known);
      return known;
    }
    const asked = asking.get(name) ?? ask(name).finally(() => asking.delete(name));
    asking.set(name, asked);
    return asked;
  };
}
