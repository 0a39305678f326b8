import { Worker } from 'node:worker_threads';
import { Unavailable } from '#errors.ts';
import type { PrintedDocument } from './document.ts';

type Answer = { id: number; bytes: Uint8Array } | { id: number; failure: Error };
type Waiting = { done(bytes: Uint8Array): void; failed(error: Error): void };

/** Most documents that may wait; further callers must retry later. */
const mostWaiting = 30;

let worker: Worker | undefined;
let count = 0;
const waiting = new Map<number, Waiting>();

/** Laying out letters takes longer than any other work here, so a thread of its own does it; it ends with the program. */
function startWorker(): Worker {
  const started = new Worker(new URL('./print-worker.ts', import.meta.url));
  started.unref();
  started.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) started.unref();
    if ('bytes' in answer) asked?.done(answer.bytes);
    else asked?.failed(answer.failure);
  });
  let cause: Error | undefined;
  started.on('error', (error: Error) => {
    cause = error;
  });
  started.on('exit', (code) => {
    worker = undefined;
    for (const { failed } of waiting.values())
      failed(cause ?? new Error(`The printing thread ended with code ${code}.`));
    waiting.clear();
  });
  return started;
}

/** A document as a PDF, printed one after the other. */
export function printBeside(document: PrintedDocument): Promise<Uint8Array> {
  if (waiting.size >= mostWaiting) return Promise.reject(new Unavailable());
  worker ??= startWorker();
  const thread = worker;
  const id = count++;
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed });
    thread.ref(); // a program does not end while something of its is being printed
    thread.postMessage({ id, document });
  });
}
