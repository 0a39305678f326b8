import { type ErrorBody, type ErrorCode, errorCodes } from '@sparechange/contract';

/** A refused or unanswered call; unanswered, its `status` is 0. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'no-answer';
  readonly fields: Record<string, string>;

  constructor(status: number, code: ApiError['code'], message: string, fields: Record<string, string> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** Returns the server's problems with single fields of a form; `fields` maps a path of the call to its field. */
export function fieldErrors<Field extends string>(error: unknown, fields: Record<string, Field>): [Field, string][] {
  if (!(error instanceof ApiError)) return [];
  const found = error.fields;
  return Object.entries(fields).flatMap(([path, field]): [Field, string][] => {
    const message = found[path];
    return message === undefined ? [] : [[field, message]];
  });
}

/** Returns true where the server may have carried out the call: no answer of its own came back. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'no-answer' || error.code === 'unexpected');

/** Repeats an idempotent mutation once where its answer was lost. */
export const onceMoreIfUnanswered = (failures: number, error: unknown): boolean => failures < 1 && isUnanswered(error);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCode = (code: unknown): code is ErrorCode => errorCodes.some((known) => known === code);

/** Reads a refusal of our server; undefined for a body that something between has written. */
export function refusalIn(body: unknown): ErrorBody['error'] | undefined {
  if (!isObject(body) || !isObject(body.error)) return undefined;
  const { code, message, fields } = body.error;
  if (!isCode(code) || typeof message !== 'string') return undefined;
  return { code, message, ...(isObject(fields) && { fields: fields as Record<string, string> }) };
}
