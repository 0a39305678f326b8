import type { Tenant } from '#tenants/load-tenants.ts';
import type { TenantFiles } from '#tenants/tenant-files.ts';
import type { DocumentBrand, PrintedDocument } from './document.ts';
import type { Poster } from './poster.ts';
import { printBeside, printPosterBeside } from './printing.ts';

/** Makes documents in a tenant's look. */
export interface DocumentPrinter {
  brandOf(tenant: Tenant): Promise<DocumentBrand>;
  print(document: PrintedDocument): Promise<Uint8Array>;
  /** Reads a file of tenants/logos, by its name or address. */
  logo(name: string | null): Promise<string | undefined>;
  poster(poster: Poster): Promise<Uint8Array>;
}

export const documentPrinter = ({ readLogo: logo }: Pick<TenantFiles, 'readLogo'>): DocumentPrinter => ({
  brandOf: async ({ name, logoURL, theme }) => ({ name, logo: await logo(logoURL), accent: theme.secondary }),
  print: printBeside,
  logo,
  poster: printPosterBeside,
});
