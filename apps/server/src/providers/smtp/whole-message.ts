import { PassThrough, type Readable } from 'node:stream';
import { type DkimOptions, dkimSignature } from './dkim-signature.ts';

/**
 * Passes on a message in one piece, signed where a key is given. Nodemailer writes some thirty small ones, each of which
 * would be a packet of its own.
 */
export function wholeMessage(input: Readable, dkim: DkimOptions | undefined): Readable {
  const output = new PassThrough();
  const pieces: Buffer[] = [];
  const pass = async () => {
    const message = Buffer.concat(pieces);
    output.end(dkim ? Buffer.concat([Buffer.from(await dkimSignature(message, dkim)), message]) : message);
  };
  input.on('data', (piece: Buffer) => pieces.push(piece));
  input.on('error', (error) => output.destroy(error));
  input.on('end', () => void pass().catch((error: Error) => output.destroy(error)));
  return output;
}
