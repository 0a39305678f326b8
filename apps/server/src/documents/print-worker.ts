import { parentPort } from 'node:worker_threads';
import type { PrintedDocument } from './document.ts';
import { printDocument } from './print.ts';

/** Prints one document after the other, beside the event loop that answers requests. */
parentPort?.on('message', async ({ id, document }: { id: number; document: PrintedDocument }) => {
  try {
    parentPort?.postMessage({ id, bytes: await printDocument(document) });
  } catch (error) {
    parentPort?.postMessage({ id, failure: error });
  }
});
