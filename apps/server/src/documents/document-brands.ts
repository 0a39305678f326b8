import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Tenant } from '#tenants/load-tenants.ts';
import type { DocumentBrand, PrintedDocument } from './document.ts';
import { printBeside } from './printing.ts';

/** Makes documents in a tenant's look. */
export interface DocumentPrinter {
  brandOf(tenant: Tenant): Promise<DocumentBrand>;
  print(document: PrintedDocument): Promise<Uint8Array>;
}

export const documentPrinter = (tenantsFolder: string): DocumentPrinter => ({
  brandOf: async ({ name, logoURL, theme }) => ({
    name,
    logo: await readFile(join(tenantsFolder, 'logos', basename(logoURL)), 'utf8').catch(() => undefined),
    accent: theme.secondary,
  }),
  print: printBeside,
});
