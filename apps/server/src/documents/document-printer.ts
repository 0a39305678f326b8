import type { Logger } from 'pino';
import { Refusal } from '#errors.ts';
import type { Tenant } from '#tenants/load-tenants.ts';
import type { TenantFiles } from '#tenants/tenant-files.ts';
import type { DocumentBrand, PrintedDocument } from './document.ts';
import { drawPng } from './draw-picture.ts';
import { type OwnProcess, ownProcess } from './own-process.ts';
import type { Poster } from './poster.ts';
import { recentFailures } from './recent-failures.ts';

/** Prints one document at a time, as laying out letters takes longer than any other work here. */
export const printing = ownProcess(new URL('./documents-program.ts', import.meta.url), {
  cpuMs: 10_000,
  wallMs: 30_000,
  memoryMb: 384,
  maxWaiting: 30,
});

/** Makes documents in a tenant's look. */
export interface DocumentPrinter {
  brandOf(tenant: Tenant): Promise<DocumentBrand>;
  print(document: PrintedDocument): Promise<Uint8Array>;
  /** Reads a file of tenants/logos, by its name or address. */
  logo(name: string | null): Promise<string | undefined>;
  poster(poster: Poster): Promise<Uint8Array>;
  /** Draws a poster as PNG, for a look at it on a screen. */
  posterPicture(poster: Poster): Promise<Uint8Array>;
}

/** Pixels across the picture of a poster: sharp on phones that have three for each of theirs. */
const posterPixels = 840;

const withoutLogos = (poster: Poster): Poster => ({ ...poster, logo: undefined, mark: undefined });

interface PrinterDeps {
  log?: Pick<Logger, 'warn'> | undefined;
  process?: OwnProcess;
}

export function documentPrinter(
  { readLogo: logo }: Pick<TenantFiles, 'readLogo'>,
  { log, process = printing }: PrinterDeps = {},
): DocumentPrinter {
  const failing = recentFailures();

  /** Prints with logos, and without them where they make it fail: a brand's drawing cannot break its documents. */
  const printWith = async <Work>(
    name: string,
    logos: (string | undefined)[],
    work: Work,
    plain: Work,
    finish: (made: unknown) => Promise<Uint8Array> = async (made) => new Uint8Array(made as Uint8Array),
  ) => {
    const print = async (each: Work) => finish(await process.run(name, each));
    const drawn = logos.filter((each) => each !== undefined).join('\n');
    if (failing.has(drawn)) return print(plain);
    try {
      return await print(work);
    } catch (error) {
      if (drawn === '' || error instanceof Refusal) throw error;
      const printed = await print(plain);
      failing.add(drawn);
      log?.warn({ err: error }, 'a document is printed without its logo, which failed');
      return printed;
    }
  };

  return {
    brandOf: async ({ name, logoURL, theme }) => ({ name, logo: await logo(logoURL), accent: theme.secondary }),
    print: (document) => {
      const { brand } = document;
      const plain = { ...document, brand: { ...brand, logo: undefined } };
      return printWith('printDocument', [brand.logo], document, plain);
    },
    logo,
    poster: (poster) => printWith('printPoster', [poster.logo, poster.mark], poster, withoutLogos(poster)),
    posterPicture: (poster) =>
      printWith('posterSvg', [poster.logo, poster.mark], poster, withoutLogos(poster), (svg) =>
        drawPng(svg as string, { width: posterPixels }),
      ),
  };
}
