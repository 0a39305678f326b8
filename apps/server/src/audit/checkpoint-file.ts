import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Checkpoint } from './checkpoint.ts';

export interface KeptCheckpoints {
  macs: Map<number, string>;
  /** Numbers of lines that are malformed or contradict earlier ones. */
  unusable: number[];
}

/** Checkpoints kept outside the database, one JSON document a line. */
export interface CheckpointFile {
  path: string;
  /** Returns nothing where there is no file yet. */
  read(): Promise<KeptCheckpoints>;
  add(checkpoint: Checkpoint): Promise<void>;
}

const Line = z.object({ number: z.int(), mac: z.string().regex(/^[0-9a-f]{72}$/) });

/** Writes a checkpoint as one line, for files and logs. */
export function checkpointLine({ number, madeAt, chains, entries, acceptedBecause, mac }: Checkpoint): string {
  return JSON.stringify({ number, madeAt, chains, entries, acceptedBecause, mac: mac.toString('hex') });
}

export function checkpointFile(path: string): CheckpointFile {
  return {
    path,
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      const kept: KeptCheckpoints = { macs: new Map(), unusable: [] };
      for (const [index, line] of text.split('\n').entries()) {
        if (line === '') continue;
        const parsed = parseLine(line);
        const known = parsed && kept.macs.get(parsed.number);
        if (!parsed || (known !== undefined && known !== parsed.mac)) kept.unusable.push(index + 1);
        else kept.macs.set(parsed.number, parsed.mac);
      }
      return kept;
    },
    async add(checkpoint) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await appendFile(path, `${checkpointLine(checkpoint)}\n`, { mode: 0o600 });
    },
  };
}

function parseLine(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
