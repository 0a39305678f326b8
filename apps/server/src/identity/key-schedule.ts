import type { NamedKey } from './signing-keys.ts';

/** A key and the second it was made. */
export interface DatedKey {
  madeAt: number;
  key: NamedKey;
}

/** A new key is published this long before it signs: whoever caches our keys for an hour then knows it in time. */
export const leadSeconds = 65 * 60;

/** Time a retired key stays published; tokens last one hour. */
export const afterlifeSeconds = 2 * 60 * 60;

/** Second from which a key signs; the first signs immediately. */
const signsFrom = ({ madeAt }: DatedKey, index: number): number => (index === 0 ? 0 : madeAt + leadSeconds);

/** The key that signs at `now`: of keys given oldest first, the youngest whose lead time is over. Undefined without keys. */
export function signingKeyAt(keys: DatedKey[], now: number): NamedKey | undefined {
  return keys.filter((key, index) => signsFrom(key, index) <= now).at(-1)?.key;
}

/** The keys to publish at `now`, of keys given oldest first: all but those whose last token has ended. */
export function publishedKeysAt(keys: DatedKey[], now: number): NamedKey[] {
  const isOver = (index: number) => {
    const next = keys[index + 1];
    return next !== undefined && signsFrom(next, index + 1) + afterlifeSeconds <= now;
  };
  return keys.filter((_key, index) => !isOver(index)).map(({ key }) => key);
}
