import { Piscina } from 'piscina';
import { Unavailable } from '#errors.ts';
import type { Tenant } from '#tenants/load-tenants.ts';
import type { TenantFiles } from '#tenants/tenant-files.ts';
import type { DocumentBrand, PrintedDocument } from './document.ts';
import type { Poster } from './poster.ts';

/** Most documents that may wait; further callers must retry later. */
const maxWaiting = 30;

let threads: Piscina<object, Uint8Array> | undefined;

/**
 * Prints one after the other in a thread of their own, as laying out letters takes longer than any other work here. A thread
 * that ends fails its document and is replaced for those that wait, which needs `minThreads`.
 */
async function run(work: object, file: string, name: string): Promise<Uint8Array> {
  threads ??= new Piscina({ minThreads: 1, maxThreads: 1 });
  if (threads.queueSize >= maxWaiting) throw new Unavailable();
  return threads.run(work, { filename: new URL(file, import.meta.url).href, name });
}

export const printBeside = (document: PrintedDocument): Promise<Uint8Array> =>
  run(document, './print.ts', 'printDocument');

export const printPosterBeside = (poster: Poster): Promise<Uint8Array> => run(poster, './poster.ts', 'printPoster');

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
