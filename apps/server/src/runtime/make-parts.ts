import { hkdfSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { makeAuditKeys } from '#audit/audit-keys.ts';
import type { Pool } from '#db/connect.ts';
import { documentPrinter } from '#documents/document-printer.ts';
import { renewalLinks } from '#features/supporters/consents/renewal-links.ts';
import { notifiers } from '#providers/registry.ts';
import { makeDossierKeys } from '#secrets/dossier-keys.ts';
import { makeFieldEncryption } from '#secrets/field-encryption.ts';
import { adviceLinks, bankDetailLinks, clubRequestLinks, debitLinks, operatorLinks } from '#secrets/signed-links.ts';
import { givenPictures } from '#tenants/given-pictures.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { tenantFiles } from '#tenants/tenant-files.ts';
import { tenantSites } from '#tenants/tenant-site.ts';

export const projectFolder = fileURLToPath(new URL('../../../..', import.meta.url));
export const tenantsFolder = `${projectFolder}tenants`;

interface Given {
  db: Pool;
  tenants: Tenants;
  /** The first encrypts and signs, the others are read. */
  dataKeys: [Buffer, ...Buffer[]];
  site: Parameters<typeof tenantSites>[0] & { consoleUrl: string };
  log?: Logger;
}

export type Parts = ReturnType<typeof makeParts>;

/**
 * Makes the parts of a process that follow from its database, tenants, keys and addresses, the same for a server, a test and a
 * simulated product; what belongs to one of them, such as its providers, is added by it.
 */
export function makeParts({ db, tenants, dataKeys, site, log }: Given) {
  // Derived, so that there is one secret less to configure and several servers agree; a new data key only ends links.
  const linkKey = (purpose: string) => Buffer.from(hkdfSync('sha256', dataKeys[0], '', `sparechange ${purpose}`, 32));
  const files = tenantFiles(tenantsFolder, db);
  return {
    tenantsFolder,
    files,
    notifiers,
    encryption: makeFieldEncryption(dataKeys),
    auditKeys: makeAuditKeys(dataKeys),
    dossierKeys: makeDossierKeys(dataKeys),
    sites: tenantSites(site, tenants),
    printer: documentPrinter(files, log ? { log } : {}),
    renewalLinks: renewalLinks(linkKey('renewal links')),
    debitLinks: debitLinks(linkKey('debit links')),
    adviceLinks: adviceLinks(linkKey('advice links')),
    bankDetailLinks: bankDetailLinks(linkKey('bank detail links')),
    clubRequestLinks: clubRequestLinks(linkKey('club request links')),
    operatorLinks: operatorLinks(linkKey('operator links')),
    givenPictures: givenPictures(linkKey('given pictures')),
    consoleUrl: new URL(site.consoleUrl),
  };
}
