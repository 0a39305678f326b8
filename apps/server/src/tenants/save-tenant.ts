import { type Actor, actorName } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { InvalidInput, NotFound } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import { checkTenants } from './check-tenants.ts';
import { currentSettings, differencesOf, withChanges } from './current-settings.ts';
import { type ParsedSettings, parseSettings, redirectsKey, type Settings, tenantsOf } from './load-tenants.ts';
import { appendVersions, listVersions, lockVersions, type VersionOrigin } from './version-repository.ts';

export interface SaveDeps {
  db: Pool;
  clock: Clock;
  /** Where logos and pictures lie. */
  folder: string;
  actor: Actor;
}

export interface Saved {
  key: string;
  version: number;
  /** Settings that differ from the version before. */
  changed: string[];
}

/** Labels below the product's domain that are no tenant's. */
const hostsOfOurs = new Set(['api', 'console', 'www']);

/** Refuses what `ops tenants check` would say about a change: all of the tenant itself, and what is new of others. */
async function refuseProblems(tx: Db, folder: string, before: Settings[], changed: Settings): Promise<void> {
  const problems = await checkTenants(tx, tenantsOf(withChanges(before, [changed])), folder);
  const known = await checkTenants(tx, tenantsOf(before), folder);
  const own = changed.key === redirectsKey ? 'redirects.json ' : `${changed.key}: `;
  const refused = problems.filter((problem) => problem.startsWith(own) || !known.includes(problem));
  if (refused.length > 0) throw new InvalidInput(refused.join('\n'));
}

/**
 * Saves settings as the newest version of a tenant, which every process uses within a minute. Throws InvalidInput with the
 * sentences of `ops tenants check`, and then nothing is changed. Again it changes nothing.
 */
export async function saveSettings(
  { db, clock, folder, actor }: SaveDeps,
  parsed: ParsedSettings,
  origin: VersionOrigin = 'edit',
): Promise<Saved> {
  if (parsed.problems) throw new InvalidInput(parsed.problems.join('\n'));
  const { key, content } = parsed;
  if (hostsOfOurs.has(key)) throw new InvalidInput(`${key} is the name of a host of ours.`);
  if (!/^[a-z0-9-]{1,63}$/.test(key)) throw new InvalidInput(`${key} is not a key: a-z, 0-9 and hyphens.`);
  return db.begin(async (tx) => {
    await lockVersions(tx);
    const [newest] = await listVersions(tx, key);
    const changed = differencesOf(newest?.content ?? {}, content);
    if (newest && changed.length === 0) return { key, version: newest.version, changed };
    const { settings } = await currentSettings(tx);
    await refuseProblems(tx, folder, settings, { key, content });
    const version = (newest?.version ?? 0) + 1;
    const by = actorName(actor);
    await appendVersions(tx, {
      saved: [{ key, content }],
      origin,
      by,
      at: clock.now(),
      entry: {
        action: origin === 'restore' ? 'tenant restored' : 'tenant saved',
        details: { tenant: key, version, changed: changed.join(', '), by },
      },
    });
    return { key, version, changed };
  });
}

/** Saves an earlier version again as the newest one. */
export async function restoreVersion(deps: SaveDeps, key: string, version: number): Promise<Saved> {
  const found = (await listVersions(deps.db, key)).find((each) => each.version === version);
  if (!found) throw new NotFound(`Version ${version} of ${key}`);
  return saveSettings(deps, parseSettings(found), 'restore');
}
