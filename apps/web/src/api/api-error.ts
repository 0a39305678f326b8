import type { ErrorCode } from '@sparechange/contract';

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
