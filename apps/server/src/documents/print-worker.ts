import { parentPort } from 'node:worker_threads';
import type { PrintedDocument } from './document.ts';
import { printDocument } from './print.ts';

/** Prints documents one by one, outside the server's event loop. */
parentPort?.on('message', async ({ id, document }: { id: number; document: PrintedDocument }) => {
  try {
    parentPort?.postMessage({ id, bytes: await printDocument(document) });
  } catch (error) {
    parentPort?.postMessage({ id, failure: error });
  }
});
