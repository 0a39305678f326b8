import { isDeepStrictEqual } from 'node:util';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names the settings in which two tenants' differ, as `theme.primary`. */
export function differencesOf(one: unknown, other: unknown, at = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isRecord(one) || !isRecord(other)) return [at];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differencesOf(one[name], other[name], at === '' ? name : `${at}.${name}`));
}
