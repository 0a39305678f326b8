import { Piscina } from 'piscina';
import { Unavailable } from '#errors.ts';
import type { PrintedDocument } from './document.ts';

/** Most documents that may wait; further callers must retry later. */
const maxWaiting = 30;

let threads: Piscina<PrintedDocument, Uint8Array> | undefined;

/**
 * Prints documents one after the other in a thread of their own, as laying out letters takes longer than any other work
 * here. A thread that ends fails its document and is replaced for those that wait, which needs `minThreads`.
 */
export async function printBeside(document: PrintedDocument): Promise<Uint8Array> {
  threads ??= new Piscina({
    filename: new URL('./print.ts', import.meta.url).href,
    name: 'printDocument',
    minThreads: 1,
    maxThreads: 1,
  });
  if (threads.queueSize >= maxWaiting) throw new Unavailable();
  return threads.run(document);
}
