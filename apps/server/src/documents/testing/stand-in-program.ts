import { getPriority } from 'node:os';
import { serveWork } from '../serve-work.ts';

const hold: Buffer[] = [];

/** Work that goes wrong in each way that native code does, harmlessly. */
await serveWork({
  echo: (input: unknown) => input,
  keep: (megabytes: number) => {
    hold.push(Buffer.alloc(megabytes * 1_048_576, 1));
    return process.pid;
  },
  environment: () => Object.keys(process.env),
  priority: () => getPriority(),
  refuse: () => {
    throw new TypeError('not a drawing');
  },
  neverAnswer: () => new Promise(() => {}),
  spin: () => {
    for (;;);
  },
  exit: () => process.exit(3),
  abort: () => process.kill(process.pid, 'SIGABRT'),
  grow: () => {
    for (;;) hold.push(Buffer.alloc(8 * 1_048_576, 1));
  },
});
