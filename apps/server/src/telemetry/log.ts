import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { isDiskFull } from '#full-disk.ts';
import { currentTrace } from './trace.ts';

/** Names under which secrets and people go in payloads; what is logged under one of them is redacted. */
const secretNames = new Set([
  ...['password', 'newPassword', 'idToken', 'refreshToken', 'refresh_token', 'access_token', 'oobCode', 'token'],
  ...['handoff', 'customToken', 'authorization', 'apikey', 'cookie', 'email', 'mobile', 'firstName', 'lastName'],
  ...['bsb', 'accountNumber', 'account_number', 'accountName'],
]);
const deepest = 5;

/** Redacts secrets at any depth, only for lines written. */
function redacted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth > deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((each) => redacted(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretNames.has(name) ? '[redacted]' : redacted(inner, depth + 1),
    ]),
  );
}

interface LoggedError {
  type: string;
  message: string;
  code?: unknown;
  /** Names the bucket of a statement. */
  searchPath?: unknown;
  constraint?: unknown;
  stack?: string | undefined;
  cause?: LoggedError;
  /** The first five of an AggregateError. */
  errors?: LoggedError[];
}

/** Returns whether it is an error or pg-boss's copy. */
const isErrorLike = (error: unknown): error is Error =>
  error instanceof Error ||
  (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string');

function messageOf(error: Error, isOfPostgres: boolean): string {
  if (isOfPostgres)
    return isDiskFull(error) ? 'disk full: the database has no room for a statement' : 'a statement was refused';
  return isDiskFull(error) ? `disk full: ${error.message}` : error.message;
}

/**
 * Returns an error without its driver's additions: PostgreSQL's `detail` and a query's parameters hold people's data,
 * and so do the values in the message of a statement that was refused.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!isErrorLike(error)) return { type: typeof error, message: 'not an error' };
  const isOfPostgres = 'severity' in error && 'routine' in error;
  const message = messageOf(error, isOfPostgres);
  const stack = isOfPostgres ? error.stack?.replace(/^.*?\n(?= {4}at )/s, '') : error.stack;
  return {
    type: error.name ?? 'object',
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...('searchPath' in error ? { searchPath: error.searchPath } : {}),
    ...('constraint' in error && error.constraint !== undefined ? { constraint: error.constraint } : {}),
    stack,
    ...(error.cause !== undefined && depth < 4 ? { cause: loggedError(error.cause, depth + 1) } : {}),
    ...(error instanceof AggregateError && depth < 4 ? { errors: firstOf(error, depth + 1) } : {}),
  };
}

const firstOf = ({ errors }: AggregateError, depth: number): LoggedError[] =>
  errors.slice(0, 5).map((error) => loggedError(error, depth));

/** The settings of every log of ours. A line belongs to the request or job that carries its `requestId`. */
const logOptions = (level: string, program: string): LoggerOptions => ({
  level,
  base: { program },
  formatters: { log: (line) => redacted(line) as Record<string, unknown> },
  serializers: { err: (error: unknown) => loggedError(error), req: () => undefined, res: () => undefined },
  mixin: (line, _level, logger) => {
    if ('requestId' in line) return {};
    const requestId = currentTrace();
    return requestId && !('requestId' in (logger as Logger).bindings()) ? { requestId } : {};
  },
});

export const makeLog = (level: string, program: string, stream?: DestinationStream): Logger =>
  stream ? pino(logOptions(level, program), stream) : pino(logOptions(level, program));
