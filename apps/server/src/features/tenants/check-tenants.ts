import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import { listClubs } from '#features/clubs/club-repository.ts';
import type { Tenants } from './load-tenants.ts';

const key = z.string();

/** `redirects.json`: the 15 clubs of /verify, the 4 rules of /confirmed and the 1 club of /consented (design section 5). */
const Redirects = z.object({
  verify: z.record(z.uuid(), key),
  confirmed: z.array(z.object({ clubId: z.uuid().optional(), parentClubId: z.uuid().optional(), tenant: key })),
  consented: z.record(z.uuid(), key),
});

/** What is wrong with the tenants beyond their schema: clubs nobody knows, logos that are missing, redirects to nowhere. */
export async function checkTenants(db: Db, tenants: Tenants, folder: string): Promise<string[]> {
  const clubs = new Set((await listClubs(db)).map((club) => club.id));
  const problems: string[] = [];
  const wantClub = (where: string, id: string | undefined) => {
    if (id !== undefined && !clubs.has(id)) problems.push(`${where}: there is no club ${id}`);
  };
  for (const tenant of tenants.list()) {
    wantClub(tenant.key, tenant.clubID);
    wantClub(tenant.key, tenant.parentClubId);
    for (const logo of [tenant.logoURL, tenant.logoURLDashboard]) {
      const isOurs = logo.startsWith('/tenants/logos/');
      if (isOurs && !existsSync(join(folder, 'logos', basename(logo))))
        problems.push(`${tenant.key}: ${logo} is missing`);
    }
  }
  const redirects = Redirects.parse(JSON.parse(await readFile(join(folder, 'redirects.json'), 'utf8')));
  const targets = [
    ...Object.entries(redirects.verify).map(([id, tenant]) => ({ where: 'redirects.json verify', id, tenant })),
    ...Object.entries(redirects.consented).map(([id, tenant]) => ({ where: 'redirects.json consented', id, tenant })),
    ...redirects.confirmed.map((rule) => ({
      where: 'redirects.json confirmed',
      id: rule.clubId ?? rule.parentClubId,
      tenant: rule.tenant,
    })),
  ];
  for (const { where, id, tenant } of targets) {
    wantClub(where, id);
    if (!tenants.byKey(tenant)) problems.push(`${where}: there is no tenant ${tenant}`);
  }
  return problems;
}
