import { Piscina } from 'piscina';
import { Unavailable } from '#errors.ts';
import type { PrintedDocument } from './document.ts';
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
