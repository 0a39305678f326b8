import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

/** Signs dossiers with Ed25519, so that strangers can check them. */
export interface DossierKeys {
  /** Returns the 64 bytes of a signature by the current key. */
  sign(bytes: Uint8Array): Buffer;
  /** The public key of the signatures made now, as PEM. */
  publicKey: string;
  /** Public keys of every signature that may be in use, the current one first. */
  published: string;
}

/** The bytes before the 32 of a private key in PKCS #8 (RFC 8410). */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

function derive(dataKey: Buffer): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', dataKey, '', 'sparechange dossiers', 32));
  return createPrivateKey({ key: Buffer.concat([privateKeyHead, seed]), format: 'der', type: 'pkcs8' });
}

const publicPem = (key: KeyObject): string => createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();

/** Derives the keys from data keys, so that there is no further secret and several servers agree; only the first signs. */
export function makeDossierKeys([first, ...others]: [Buffer, ...Buffer[]]): DossierKeys {
  const current = derive(first);
  const publicKey = publicPem(current);
  return {
    sign: (bytes) => sign(null, bytes, current),
    publicKey,
    published: [publicKey, ...others.map((each) => publicPem(derive(each)))].join(''),
  };
}
