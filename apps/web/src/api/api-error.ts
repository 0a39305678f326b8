import type { ErrorCode } from '@sparechange/contract';

/** A call that was refused or did not arrive; `status` is 0 when there was no answer. */
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
