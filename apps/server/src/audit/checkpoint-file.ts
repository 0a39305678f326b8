import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { namingFullDisk } from '#full-disk.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface KeptCheckpoints {
  /** By schema and number. */
  macs: Map<string, Map<number, string>>;
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

const Line = z.object({
  place: z.string().default('public'),
  number: z.int(),
  mac: z.string().regex(/^[0-9a-f]{72}$/),
});

/** Writes a checkpoint as one line, for files and logs. */
export function checkpointLine({ place, number, madeAt, chains, entries, acceptedBecause, mac }: Checkpoint): string {
  const named = place === 'public' ? {} : { place };
  return JSON.stringify({ ...named, number, madeAt, chains, entries, acceptedBecause, mac: mac.toString('hex') });
}

/** Adds a mac to those kept; returns false where another is kept under its number. */
export function keepMac({ macs }: KeptCheckpoints, { place, number, mac }: z.infer<typeof Line>): boolean {
  const ofPlace = macs.get(place) ?? new Map<number, string>();
  macs.set(place, ofPlace);
  if (ofPlace.has(number)) return ofPlace.get(number) === mac;
  ofPlace.set(number, mac);
  return true;
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
        if (!parsed || !keepMac(kept, parsed)) kept.unusable.push(index + 1);
      }
      return kept;
    },
    async add(checkpoint) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const line = `${checkpointLine(checkpoint)}\n`;
      await namingFullDisk('the file of audit checkpoints', () => appendFile(path, line, { mode: 0o600 }));
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
