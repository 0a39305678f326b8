/** Codes of the driver and of PostgreSQL for a query that failed for want of a database. */
const codes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
  ...['57P01', '57P02', '57P03'], // shutting down, crashed, starting up
  ...['08000', '08003', '08006', '53300'], // connections, too many of them
  ...['57014', '55P03', '40001', '40P01'], // took too long, waited too long for a lock, lost to another transaction
  '25006', // a standby: the primary has moved
]);

/** Returns whether an error means that the database is unavailable or overloaded; trying later is right. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && codes.has(error.code)) return true;
  return /Connection terminated/.test(error.message); // of pg-boss's driver, without a code
}
