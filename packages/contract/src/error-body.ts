import { z } from 'zod';

export const errorCodes = [
  'unknown-tenant',
  'unknown-key',
  'signed-out',
  'not-allowed',
  'not-found',
  'invalid-input',
  'conflict',
  'changed-meanwhile',
  'requires-recent-login',
  'too-many-requests',
  'campaign-ended',
  'bank-declined',
  'holder-differs',
  'holder-refused',
  'provider-unavailable',
  'unavailable',
  'unexpected',
] as const;

/** The body of every refusal. `fields` explains each invalid input, or gives its current value if that has changed. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    requestId: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
export type ErrorCode = ErrorBody['error']['code'];
