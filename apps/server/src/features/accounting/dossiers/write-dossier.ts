import { createHash } from 'node:crypto';
import type { Pool } from '#db/connect.ts';
import type { DocumentPrinter } from '#documents/document-printer.ts';
import { type FileToZip, zipFiles } from '#features/accounting/auditors-pack/zip-files.ts';
import type { Clock } from '#ports/clock.ts';
import type { DossierKeys } from '#secrets/dossier-keys.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import { dossierDocument } from './dossier-document.ts';
import { howToCheck } from './how-to-check.ts';
import { readDossier } from './read-dossier.ts';

export interface DossierDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  printer: DocumentPrinter;
  dossierKeys: DossierKeys;
  /** Where strangers find the public keys. */
  productUrl: string;
  mainTenant: string;
}

/** Where the public keys are, on the product's address. */
export const dossierKeysPath = '/.well-known/dossier-keys.pem';

export interface WrittenDossier {
  reference: string;
  name: string;
  /** A ZIP archive. */
  content: Uint8Array;
  /** Sentences about what it leaves out. */
  leftOut: string[];
}

/**
 * Writes the dossier of one debit as a PDF and as JSON, each with a detached Ed25519 signature, and the page by which a stranger
 * checks them. Throws as readDossier does.
 */
export async function writeDossier(deps: DossierDeps, reference: string): Promise<WrittenDossier> {
  const { tenants, printer, dossierKeys, productUrl, mainTenant } = deps;
  const issuer = tenantOrDefault(tenants, mainTenant).name;
  const dossier = await readDossier({ ...deps, issuer }, reference);
  const json = Buffer.from(`${JSON.stringify(dossier, undefined, 2)}\n`);
  const hash = createHash('sha256').update(json).digest('hex');
  const brand = await printer.brandOf(tenantOrDefault(tenants, dossier.request.tenant));
  const pdf = await printer.print(dossierDocument(dossier, brand, hash));
  const keysAddress = new URL(dossierKeysPath, productUrl).href;
  const name = `dossier-${dossier.debit.reference}`;
  const content = await zipped(name, filesOf(dossierKeys, { pdf, json, keysAddress }), dossier.madeAt);
  return { reference: dossier.debit.reference, name: `${name}.zip`, content, leftOut: dossier.leftOut };
}

/** Returns the files of a dossier with their signatures. */
export function filesOf(
  keys: DossierKeys,
  { pdf, json, keysAddress }: { pdf: Uint8Array; json: Uint8Array; keysAddress: string },
): FileToZip[] {
  return [
    { name: 'CHECK.txt', pieces: [howToCheck(keysAddress)] },
    { name: 'dossier.pdf', pieces: [pdf] },
    { name: 'dossier.pdf.sig', pieces: [keys.sign(pdf)] },
    { name: 'dossier.json', pieces: [json] },
    { name: 'dossier.json.sig', pieces: [keys.sign(json)] },
    { name: 'key.pem', pieces: [keys.publicKey] },
  ];
}

async function zipped(folder: string, files: FileToZip[], at: Date): Promise<Uint8Array> {
  async function* all() {
    yield* files;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of zipFiles(folder, all(), at)) pieces.push(piece);
  return Buffer.concat(pieces);
}
