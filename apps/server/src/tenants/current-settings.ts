import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#db/connect.ts';
import { lineOfFile, parseSettings, type Settings } from './load-tenants.ts';
import { listVersions, type Version } from './version-repository.ts';

export interface CurrentSettings {
  settings: Settings[];
  /** Versions passed over because this process cannot read them. */
  unreadable: string[];
}

/** Returns the newest readable version of each tenant: one of a later release, or a spoiled one, replaces none. */
export function newestReadable(versions: Version[]): CurrentSettings {
  const settings: Settings[] = [];
  const unreadable: string[] = [];
  for (const [key, all] of Map.groupBy(versions, (version) => version.key)) {
    for (const version of all) {
      const parsed = parseSettings(version);
      if (parsed.problems === undefined) {
        settings.push({ key, content: parsed.content });
        break;
      }
      const why = parsed.problems.map((problem) => lineOfFile(key, problem)).join('; ');
      unreadable.push(`version ${version.version} of ${key} cannot be read: ${why}`);
    }
  }
  return { settings, unreadable };
}

export const currentSettings = async (db: Db): Promise<CurrentSettings> => newestReadable(await listVersions(db));

/** Returns settings with some of them replaced, or added. */
export const withChanges = (settings: Settings[], changed: Settings[]): Settings[] => [
  ...new Map([...settings, ...changed].map((each) => [each.key, each])).values(),
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names the settings in which two tenants' differ, as `theme.primary`. */
export function differencesOf(one: unknown, other: unknown, at = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isRecord(one) || !isRecord(other)) return [at];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differencesOf(one[name], other[name], at === '' ? name : `${at}.${name}`));
}
