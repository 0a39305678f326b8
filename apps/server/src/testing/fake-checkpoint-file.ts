import type { Checkpoint } from '#audit/checkpoint.ts';
import { type CheckpointFile, type KeptCheckpoints, keepMac } from '#audit/checkpoint-file.ts';

export function fakeCheckpointFile(): CheckpointFile & KeptCheckpoints {
  const kept: KeptCheckpoints = { macs: new Map(), unusable: [] };
  return {
    path: 'memory',
    ...kept,
    read: async () => kept,
    add: async ({ place, number, mac }: Checkpoint) => {
      keepMac(kept, { place, number, mac: mac.toString('hex') });
    },
  };
}
