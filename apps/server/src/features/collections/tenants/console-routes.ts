import type { TenantSummary } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { type Cents, hasFolded } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { tryLogo } from '#documents/try-logo.ts';
import { NotFound } from '#errors.ts';
import { listSuspendedTenants } from '#features/collections/debits/suspended-tenants.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { type Clock, today } from '#ports/clock.ts';
import { adviseOnCost } from '#tenants/advise-on-cost.ts';
import { adviseOnChange } from '#tenants/advise-on-tenants.ts';
import { problemsOfChange, problemsOfDrawing } from '#tenants/check-tenants.ts';
import { newestReadable } from '#tenants/current-settings.ts';
import { keepDraft } from '#tenants/draft-repository.ts';
import { type ParsedSettings, parseSettings, parseTenant, settingsOf, type Tenants } from '#tenants/load-tenants.ts';
import { restoreVersion, saveSettings } from '#tenants/save-tenant.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { listVersions } from '#tenants/version-repository.ts';
import { listBrands, stateOf } from './list-brands.ts';
import { listChanges } from './list-changes.ts';
import { uploadPicture } from './upload-picture.ts';

interface TenantRouteDeps {
  db: Pool;
  clock: Clock;
  sites: Sites;
  tenants: Tenants;
  /** Folder of logos and pictures. */
  tenantsFolder: string;
  /** Cost of one debit at the provider; 0 if it is not known. */
  debitCostCents: Cents;
}
/** Names the clubs whose ids occur in settings. */
const listClubsIn = (db: Db, content: unknown) => db<{ id: string; name: string }[]>`
  select id, name from clubs where position(id::text in ${JSON.stringify(content)}) > 0 order by name, id`;

export function tenantRoutes(serve: ServeConsole, deps: TenantRouteDeps): void {
  const { db, clock, sites, tenants, tenantsFolder: folder, debitCostCents } = deps;
  const costsOf = async (draft: ParsedSettings) => {
    const brand = draft.problems ? undefined : parseTenant(draft);
    return brand ? adviseOnCost(db, brand, debitCostCents, today(clock)) : [];
  };

  serve.person(contract.listTenants, async ({ limit, after, search = '', state }) => {
    const rows = await listBrands(deps);
    const isFound = ({ id, name }: TenantSummary) => hasFolded(`${id} ${name}`, search);
    const rest = rows.slice(rows.findIndex(({ id }) => id === after) + 1);
    const found = rest.filter((row) => isFound(row) && (!state || row.state === state));
    return pageOf(found.slice(0, limit + 1), limit, ({ id }) => id);
  });

  serve.person(contract.listTenantNames, async () => ({
    tenants: (await listBrands(deps)).map(({ id, name }) => ({ key: id, name })),
  }));

  serve.person(contract.retrieveTenant, async ({ key }) => {
    const versions = await listVersions(db, key);
    const [newest] = versions;
    const [current] = newestReadable(versions).settings;
    if (!newest || !current) throw new NotFound(`The tenant ${key}`);
    const suspension = (await listSuspendedTenants(db)).find(({ tenant }) => tenant === key);
    return {
      content: contract.TenantContent.parse(current.content),
      version: newest.version,
      state: stateOf(parseTenant(current), suspension !== undefined, today(clock)),
      haltedBecause: suspension?.because ?? null,
      address: sites.addressOf(key).href,
      clubs: await listClubsIn(db, current.content),
    };
  });

  serve.person(contract.checkTenant, async (draft, { operatorId }) => {
    const parsed = parseSettings(draft);
    const isBrand = parsed.problems === undefined && draft.key !== contract.redirectsKey;
    const others = settingsOf(tenants);
    return {
      problems: [
        ...(await problemsOfChange(db, folder, parsed, others)),
        ...(await problemsOfDrawing(db, folder, parsed, tryLogo)),
      ],
      advice: [...(await adviseOnChange(db, parsed, others)), ...(await costsOf(parsed))],
      previewId: isBrand ? await keepDraft(db, operatorId, parsed) : null,
    };
  });

  serve.person(contract.saveTenant, ({ basedOn, ...draft }, caller) =>
    saveSettings({ db, clock, folder, tryLogo, actor: consoleActor(caller) }, parseSettings(draft), { basedOn }),
  );

  serve.person(contract.listTenantVersions, async ({ key }) => ({ versions: await listChanges(db, key) }));

  serve.person(contract.uploadTenantPicture, async ({ key, place, content }, { operatorId }) => {
    const upload = { key, place, content: Buffer.from(content, 'base64'), operatorId };
    const name = await uploadPicture(db, upload, tryLogo);
    return { value: place === 'picture' ? name : `/tenants/logos/${name}` };
  });

  serve.person(contract.restoreTenant, ({ key, version, basedOn }, caller) =>
    restoreVersion({ db, clock, folder, tryLogo, actor: consoleActor(caller) }, key, version, basedOn),
  );
}
