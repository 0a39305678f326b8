import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Db, table } from '#world/database.ts';
import { parseInstant } from '#world/days.ts';

/** A refusal in Zepto's form: a sentence or detailed list. */
export class ZeptoProblem extends Error {
  readonly status: number;
  readonly body: { errors: string | object[] };

  constructor(status: number, errors: string | object[]) {
    super(typeof errors === 'string' ? errors : JSON.stringify(errors));
    this.status = status;
    this.body = { errors };
  }
}

export const unprocessable = (sentence: string): ZeptoProblem => new ZeptoProblem(422, sentence);

export const badRequest = (sentence: string): ZeptoProblem => new ZeptoProblem(400, sentence);

export const notFound = (thing: string): ZeptoProblem => new ZeptoProblem(404, `${thing} not found`);

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

export const Metadata = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof Metadata>;

/** A remitter, if any, has 3 to 16 characters. */
export const OwnMetadata = Metadata.default({}).refine(
  ({ remitter }) =>
    remitter === undefined || (typeof remitter === 'string' && remitter.length >= 3 && remitter.length <= 16),
  { error: 'remitter must be between 3 and 16 characters' },
);

const keptForMs = 86_400_000;
const idempotencyKeys = table<{ key: string; resourceRef: string; createdAt: number }>('idempotency_keys');

/** Runs `create` unless this key has made something in the last 24 hours; then the refusal names what it made. */
export function idempotently<Made extends { ref: string }>(
  db: Db,
  header: unknown,
  at: number,
  create: (key: string) => Made,
): Made {
  if (typeof header !== 'string' || header === '') throw badRequest('Idempotency-Key header is required');
  if (header.length > 256) throw badRequest('Idempotency-Key must be 256 characters or less');
  return db.atomically(() => {
    const before = idempotencyKeys.find(db, { key: header });
    if (before !== undefined && before.createdAt > at - keptForMs) {
      const title = 'Duplicate idempotency key';
      const detail = 'A resource has already been created with this idempotency key';
      throw new ZeptoProblem(409, [{ title, detail, meta: { resource_ref: before.resourceRef } }]);
    }
    const made = create(header);
    idempotencyKeys.replace(db, { key: header, resourceRef: made.ref, createdAt: at });
    return made;
  });
}

export type Query = Record<string, unknown>;

const positive = (text: unknown, otherwise: number): number => {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : otherwise;
};

/**
 * Sends the page that was asked for, 25 rows by default and never more than 100. `read` is asked for one row more than
 * fits, which shows that there is a next page.
 */
export function sendPage<Row>(
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
  origin: string,
  read: (limit: number, offset: number) => Row[],
  present: (row: Row) => object,
): FastifyReply {
  const perPage = Math.min(positive(request.query.per_page, 25), 100);
  const page = positive(request.query.page, 1);
  const rows = read(perPage + 1, (page - 1) * perPage);
  if (rows.length > perPage) {
    const next = new URL(request.url, origin);
    next.searchParams.set('page', String(page + 1));
    reply.header('link', `<${next.href}>; rel="next"`);
  }
  return reply.header('per-page', String(perPage)).send({ data: rows.slice(0, perPage).map(present) });
}
