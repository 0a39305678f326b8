import { z } from 'zod';
import { parseInstant } from '#world/days.ts';
import { Metadata } from './contacts.ts';
import { ZeptoProblem } from './problem.ts';

/** Reads a body, or throws with the first fault found. */
export function parse<Schema extends z.ZodType>(schema: Schema, body: unknown, status = 422): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(' ').replaceAll('_', ' ') ?? '';
  const sentence = `${field.charAt(0).toUpperCase()}${field.slice(1)} ${issue?.message ?? 'is invalid'}`.trim();
  throw new ZeptoProblem(status, sentence);
}

export const Instant = z.string().transform((text, context) => {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  context.addIssue({ code: 'custom', message: 'is not a valid time' });
  return z.NEVER;
});

export const Amount = z
  .int({ error: 'must be an integer' })
  .min(1, { error: 'must be greater than or equal to 1' })
  .max(99_999_999_999);

export const Description = z.string().min(1, { error: "can't be blank" }).max(280);

/** A remitter, if any, has 3 to 16 characters. */
export const OwnMetadata = Metadata.default({}).refine(
  ({ remitter }) =>
    remitter === undefined || (typeof remitter === 'string' && remitter.length >= 3 && remitter.length <= 16),
  { error: 'remitter must be between 3 and 16 characters' },
);
