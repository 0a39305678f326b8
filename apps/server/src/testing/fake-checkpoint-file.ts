import type { Checkpoint } from '#audit/checkpoint.ts';
import type { CheckpointFile } from '#audit/checkpoint-file.ts';

/** A file of checkpoints in memory. */
export function fakeCheckpointFile(): CheckpointFile & { macs: Map<number, string> } {
  const macs = new Map<number, string>();
  return {
    path: 'memory',
    macs,
    read: async () => ({ macs: new Map(macs), unusable: [] }),
    add: async ({ number, mac }: Checkpoint) => {
      macs.set(number, mac.toString('hex'));
    },
  };
}
