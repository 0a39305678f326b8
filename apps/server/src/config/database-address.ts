import pg from 'pg';
import { z } from 'zod';

export interface DatabaseConnection {
  /** A name, an address or the folder of a socket. */
  host: string;
  /** Returns true if the server has to show a certificate for its name. */
  isProven: boolean;
}

const ProvenTls = z.union([
  z.literal(true),
  z.object({ rejectUnauthorized: z.literal(true).optional(), checkServerIdentity: z.undefined().optional() }),
]);

/** The driver reads `prefer` as `verify-full` today and announces that this will change. */
const strict = ['require', 'verify-ca', 'verify-full'];

/**
 * Returns how PostgreSQL's driver connects to an address, read by the driver: of two values it takes the last, and it has
 * switches of its own. Undefined for an address that it cannot read.
 */
export function connectionTo(address: string): DatabaseConnection | undefined {
  try {
    const { host, ssl } = new pg.Client({ connectionString: address });
    const isStrict = strict.includes(new URL(address).searchParams.getAll('sslmode').at(-1) ?? '');
    return { host, isProven: isStrict && ProvenTls.safeParse(ssl).success };
  } catch {
    return undefined;
  }
}
