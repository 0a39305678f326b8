import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Tenant } from '#tenants/load-tenants.ts';
import type { DocumentBrand, PaperDocument } from './document.ts';
import { printBeside } from './printing.ts';

/** Makes papers in a tenant's look. */
export interface Papers {
  brandOf(tenant: Tenant): Promise<DocumentBrand>;
  print(document: PaperDocument): Promise<Uint8Array>;
}

export const papersOf = (tenantsFolder: string): Papers => ({
  brandOf: async ({ name, logoURL, theme }) => ({
    name,
    logo: await readFile(join(tenantsFolder, 'logos', basename(logoURL)), 'utf8').catch(() => undefined),
    accent: theme.secondary,
  }),
  print: printBeside,
});
