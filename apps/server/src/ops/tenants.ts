import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { counted } from '@sparechange/domain/counted';
import type { Db } from '#db/connect.ts';
import { tryLogo } from '#documents/try-logo.ts';
import type { Runtime } from '#runtime/compose.ts';
import { tenantsFolder } from '#runtime/make-parts.ts';
import { adviseOnTenants } from '#tenants/advise-on-tenants.ts';
import { checkTenants } from '#tenants/check-tenants.ts';
import { currentSettings, differencesOf, newestReadable, withChanges } from '#tenants/current-settings.ts';
import { parseSettingsFile, readSettings, type Settings, tenantsOf } from '#tenants/load-tenants.ts';
import { restoreVersion, type Saved, saveSettings } from '#tenants/save-tenant.ts';
import { compareFiles } from '#tenants/take-up-files.ts';
import { listVersions, type Version, type VersionOrigin } from '#tenants/version-repository.ts';
import { CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

const origins: Record<VersionOrigin, string> = { file: 'taken from its file', edit: 'saved', restore: 'put back' };

const versionLine = ({ version, savedAt, origin, savedBy }: Version): string =>
  `version ${version}  ${savedAt.toISOString()}  ${origins[origin]}${savedBy === null ? '' : ` by ${savedBy}`}`;

const noTenant = (key: string) => new CommandProblem(`There is no tenant ${key}; \`ops tenants list\` names them.`);

const saveDeps = ({ db, clock }: Runtime) => ({ db, clock, folder: tenantsFolder, tryLogo, actor: commandActor() });

function savedAnswer(json: Saved) {
  const { key, version, changed } = json;
  const what = changed.length === 0 ? 'is as it was' : `is live within a minute: ${changed.join(', ')}`;
  return { json, text: `${key}: version ${version} ${what}` };
}

/** Returns the tenants of the database with the files that the next start takes, and a sentence on each it does not take. */
async function tenantsToCheck(db: Db) {
  const versions = await listVersions(db);
  const { settings, unreadable } = newestReadable(versions);
  const { changed, refused } = compareFiles(await readSettings(tenantsFolder), versions);
  return { tenants: tenantsOf(withChanges(settings, changed)), advice: [...unreadable, ...refused] };
}

export function tenantCommands(tenants: OpsCommand): void {
  tenants
    .command('check')
    .description('check settings, contrast, logos, ABNs, clubs and redirects of every tenant; exit 1 on a problem')
    .carryOut(async ({ db }) => {
      const { tenants: loaded, advice: ofFiles } = await tenantsToCheck(db);
      const problems = await checkTenants(db, loaded, tenantsFolder, tryLogo);
      const count = loaded.list().length;
      const advice = [...(await adviseOnTenants(db, loaded)), ...ofFiles];
      const advised = advice.map((each) => `advice: ${each}`);
      const text = [
        ...problems,
        ...advised,
        `${counted(count, 'tenant')}, ${counted(problems.length, 'problem')}`,
      ].join('\n');
      return { json: { tenants: count, problems, advice }, text, failed: problems.length > 0 };
    });
  tenants
    .command('list')
    .description('list every tenant, and the redirects, with the version in force')
    .carryOut(async ({ db }) => {
      const newest = [...Map.groupBy(await listVersions(db), ({ key }) => key).values()].flatMap(
        ([first]) => first ?? [],
      );
      const json = { tenants: newest.map(({ content: _content, ...version }) => version) };
      return { json, text: newest.map((version) => `${version.key}  ${versionLine(version)}`).join('\n') };
    });
  tenants
    .command('versions <id>')
    .description('list the latest versions of a tenant, newest first, and the settings that each of them changed')
    .carryOut(async ({ db }, [key = '']) => {
      const all = await listVersions(db, key);
      if (all.length === 0) throw noTenant(key);
      const versions = all.map(({ content, ...version }, index) => {
        const before = all[index + 1];
        return { ...version, changed: before ? differencesOf(before.content, content) : [] };
      });
      const lines = all.map((version, index) => [versionLine(version), ...(versions[index]?.changed ?? [])].join('  '));
      return { json: { versions }, text: lines.join('\n') };
    });
  addChanges(tenants);
}

/** Adds commands that change tenants or write them as files. */
function addChanges(tenants: OpsCommand): void {
  tenants
    .command('save <file>')
    .description(
      'save the settings of NAME.json as the newest version of the tenant NAME, unless check would refuse them',
    )
    .carryOut(async (runtime, [file = '']) => {
      const text = await readFile(file, 'utf8');
      return savedAnswer(await saveSettings(saveDeps(runtime), parseSettingsFile(basename(file, '.json'), text)));
    });
  tenants
    .command('restore <id> <version>')
    .description('put an earlier version of a tenant back, as its newest')
    .carryOut(async (runtime, [key = '', version = '']) => {
      if (!/^[1-9]\d{0,8}$/.test(version)) throw new CommandProblem(`${version} is not the number of a version.`);
      return savedAnswer(await restoreVersion(saveDeps(runtime), key, Number(version)));
    });
  tenants
    .command('export [id]')
    .description('print the settings of one tenant or of all, or write them as files')
    .option('--folder <folder>', 'write NAME.json there, as in tenants/')
    .carryOut(async ({ db }, [key], { folder }) => {
      const { settings } = await currentSettings(db);
      const chosen = key === undefined ? settings : settings.filter((each) => each.key === key);
      if (key !== undefined && chosen.length === 0) throw noTenant(key);
      if (typeof folder === 'string') return writeSettings(chosen, folder);
      const all = Object.fromEntries(chosen.map((each) => [each.key, each.content]));
      const json = key === undefined ? all : all[key];
      return { json, text: JSON.stringify(json, null, 2) };
    });
}

async function writeSettings(chosen: Settings[], folder: string) {
  for (const { key, content } of chosen)
    await writeFile(join(folder, `${key}.json`), `${JSON.stringify(content, null, 2)}\n`);
  return {
    json: { folder, files: chosen.map(({ key }) => `${key}.json`) },
    text: `${counted(chosen.length, 'file')} written to ${folder}`,
  };
}
