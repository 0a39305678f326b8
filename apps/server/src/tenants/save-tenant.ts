import { type Actor, actorName } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import type { TryLogo } from './check-logo.ts';
import { problemsOfChange, problemsOfDrawing } from './check-tenants.ts';
import { currentSettings, differencesOf } from './current-settings.ts';
import { lineOfFile, type ParsedSettings, parseSettings, redirectsKey, type SettingsProblem } from './load-tenants.ts';
import { appendVersions, listVersions, lockVersions, type VersionOrigin } from './version-repository.ts';

export interface SaveDeps {
  db: Pool;
  clock: Clock;
  /** Where logos and pictures lie. */
  folder: string;
  tryLogo: TryLogo;
  actor: Actor;
}

export interface Saved {
  key: string;
  version: number;
  /** Settings that differ from the version before. */
  changed: string[];
}

/** Returns each problem with its tenant, like `ops tenants check`. */
const linesOf = ({ key, problems: wrongFile }: ParsedSettings, problems: SettingsProblem[]): string[] =>
  problems.map((problem) => {
    if (wrongFile) return lineOfFile(key, problem);
    return key === redirectsKey ? problem.sentence : `${key}: ${problem.sentence}`;
  });

interface SaveOptions {
  origin?: VersionOrigin;
  /** The version that was changed; refused if another followed. */
  basedOn?: number | undefined;
}

/**
 * Saves settings as the newest version of a tenant, which every process uses within a minute. Throws InvalidInput with the
 * sentences of `ops tenants check`, and then nothing is changed. Again it changes nothing.
 */
export async function saveSettings(
  { db, clock, folder, tryLogo, actor }: SaveDeps,
  parsed: ParsedSettings,
  { origin = 'edit', basedOn }: SaveOptions = {},
): Promise<Saved> {
  const ofDrawing = await problemsOfDrawing(db, folder, parsed, tryLogo); // which takes time: nobody is locked out
  return db.begin(async (tx) => {
    await lockVersions(tx);
    const { settings } = await currentSettings(tx);
    const problems = [...(await problemsOfChange(tx, folder, parsed, settings)), ...ofDrawing];
    if (parsed.problems || problems.length > 0) throw new InvalidInput(linesOf(parsed, problems).join('\n'));
    const { key, content } = parsed;
    const [newest] = await listVersions(tx, key);
    const changed = differencesOf(newest?.content ?? {}, content);
    if (newest && changed.length === 0) return { key, version: newest.version, changed };
    if (basedOn !== undefined && basedOn !== (newest?.version ?? 0))
      throw new Conflict('Somebody else has saved a newer version. Please reload the page.');
    const version = (newest?.version ?? 0) + 1;
    await appendVersions(tx, {
      saved: [{ key, content }],
      origin,
      by: actorName(actor),
      at: clock.now(),
      entry: {
        action: origin === 'restore' ? 'tenant restored' : 'tenant saved',
        details: { tenant: key, version, changed: changed.join(', '), by: actorName(actor) },
      },
    });
    return { key, version, changed };
  });
}

/** Saves an earlier version again as the newest one, unless another followed the one it is based on. */
export async function restoreVersion(deps: SaveDeps, key: string, version: number, basedOn?: number): Promise<Saved> {
  const found = (await listVersions(deps.db, key)).find((each) => each.version === version);
  if (!found) throw new NotFound(`Version ${version} of ${key}`);
  return saveSettings(deps, parseSettings(found), { origin: 'restore', basedOn });
}
