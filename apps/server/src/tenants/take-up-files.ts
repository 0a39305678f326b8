import { isDeepStrictEqual } from 'node:util';
import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import { differencesOf, newestReadable, withChanges } from './current-settings.ts';
import { parseSettings, readSettings, type Settings, tenantsOf } from './load-tenants.ts';
import { appendVersions, countVersions, listVersions, lockVersions, type Version } from './version-repository.ts';

export interface FileChanges {
  /** Files that the database does not know as they are. */
  changed: Settings[];
  /** Files the database does not follow, each in a sentence. */
  refused: string[];
}

type Decision = 'unchanged' | 'changed' | { refused: string };

const contentOf = (version: Version): unknown => {
  const parsed = parseSettings(version);
  return parsed.problems === undefined ? parsed.content : version.content;
};

/** Decides on a file by the versions of its tenant, newest first (docs/decisions/tenants.md#tenants-in-the-database). */
function decide({ key, content }: Settings, versions: Version[]): Decision {
  const [newest] = versions;
  if (!newest) return 'changed';
  const files = versions.filter(({ origin }) => origin === 'file');
  const known = files.find((version) => isDeepStrictEqual(contentOf(version), content));
  if (known && known === files[0]) return 'unchanged';
  const differences = differencesOf(contentOf(newest), content);
  if (differences.length === 0) return 'changed'; // an export came back: the file counts again
  const how = `differs from version ${newest.version} in ${differences.join(', ')}`;
  if (known)
    return {
      refused: `tenants/${key}.json ${how}: it is as in version ${known.version}, which was replaced; ops tenants restore ${key} ${known.version} puts that back.`,
    };
  if (newest.origin === 'file') return 'changed';
  return {
    refused: `tenants/${key}.json ${how}: both were changed, and the database's counts; ops tenants save takes the file, ops tenants export ${key} the database's.`,
  };
}

/** Compares files with what the database holds. */
export function compareFiles(files: Settings[], versions: Version[]): FileChanges {
  const byKey = Map.groupBy(versions, ({ key }) => key);
  const decided = files.map((file) => ({ file, decision: decide(file, byKey.get(file.key) ?? []) }));
  return {
    changed: decided.flatMap(({ file, decision }) => (decision === 'changed' ? [file] : [])),
    refused: decided.flatMap(({ decision }) => (typeof decision === 'object' ? [decision.refused] : [])),
  };
}

interface TakeUpDeps {
  db: Pool;
  clock: Clock;
  folder: string;
}

/** Takes changed files into the database, where `isOnlySeed` only into one without tenants; returns a sentence on each other. */
export async function takeUpFiles({ db, clock, folder }: TakeUpDeps, { isOnlySeed = false } = {}): Promise<string[]> {
  if (isOnlySeed && (await countVersions(db)) > 0) return [];
  const files = await readSettings(folder);
  return db.begin(async (tx) => {
    await lockVersions(tx);
    const versions = await listVersions(tx);
    const { changed, refused } = compareFiles(files, versions);
    if (changed.length === 0) return refused;
    const { settings } = newestReadable(versions);
    try {
      tenantsOf(withChanges(settings, changed));
    } catch (error) {
      if (versions.length === 0) throw error;
      return [...refused, `The changed files of tenants/ were not taken. ${(error as Error).message}`];
    }
    const tenants = changed.map(({ key }) => key).join(', ');
    await appendVersions(tx, {
      saved: changed,
      origin: 'file',
      by: null,
      at: clock.now(),
      entry: { action: 'tenant files taken', details: { tenants } },
    });
    return refused;
  });
}
