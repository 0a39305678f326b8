import type { AuditKeys } from './audit-keys.ts';

/** The state of the audit chains of control, or of a bucket, at one time. */
export interface Checkpoint {
  /** The schema of the chains: `public` or a bucket's. */
  place: string;
  number: number;
  madeAt: Date;
  /** Chains that have a mark. */
  chains: number;
  /** Entries that marks cover. */
  entries: number;
  marksSum: Buffer;
  /** True if no changed chain awaits the next pass. */
  isComplete: boolean;
  /** An operator's reason for starting over. */
  acceptedBecause: string | null;
  mac: Buffer;
}

const textOf = (checkpoint: Omit<Checkpoint, 'mac'>, previousMac: Uint8Array): string =>
  JSON.stringify([
    'checkpoint',
    checkpoint.number,
    checkpoint.madeAt.toISOString(),
    checkpoint.chains,
    checkpoint.entries,
    checkpoint.marksSum.toString('hex'),
    checkpoint.isComplete,
    checkpoint.acceptedBecause,
    ...(checkpoint.place === 'public' ? [] : [checkpoint.place]),
    Buffer.from(previousMac).toString('hex'),
  ]);

/** Signs a checkpoint together with the one before it. */
export function signCheckpoint(keys: AuditKeys, checkpoint: Omit<Checkpoint, 'mac'>, previousMac: Uint8Array): Buffer {
  return keys.sign(textOf(checkpoint, previousMac));
}

export const checkCheckpoint = (keys: AuditKeys, checkpoint: Checkpoint, previousMac: Uint8Array) =>
  keys.verify(textOf(checkpoint, previousMac), checkpoint.mac);

/** The signed text of a mark: supporter, sequence and hash. */
export const markedText = (supporterId: string, seq: number, hash: Uint8Array): string =>
  JSON.stringify(['chain', supporterId, seq, Buffer.from(hash).toString('hex')]);
