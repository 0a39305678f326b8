import { randomUUID } from 'node:crypto';
import type { z } from 'zod';

/** A refusal as Basiq words it. */
export class BasiqProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly parameter: string | undefined;

  constructor(status: number, code: string, title: string, detail: string, parameter?: string) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.parameter = parameter;
  }
}

export const envelope = ({ code, title, message: detail, parameter }: BasiqProblem) => ({
  type: 'list',
  correlationId: randomUUID(),
  data: [{ type: 'error', code, title, detail, source: parameter === undefined ? {} : { parameter } }],
});

export const parameterNotValid = (detail: string, parameter: string): BasiqProblem =>
  new BasiqProblem(400, 'parameter-not-valid', 'Parameter value is not valid.', detail, parameter);

export const parameterNotSupplied = (detail: string, parameter: string): BasiqProblem =>
  new BasiqProblem(400, 'parameter-not-supplied', 'Required parameter not supplied', detail, parameter);

export const notFound = (thing: string): BasiqProblem =>
  new BasiqProblem(404, 'resource-not-found', 'Requested resource is not found.', `Requested ${thing} does not exist.`);

export const unauthorized = (): BasiqProblem =>
  new BasiqProblem(401, 'invalid-authorization-token', 'Invalid authorization token.', 'Invalid authorization token.');

export const forbidden = (code: string, detail: string): BasiqProblem =>
  new BasiqProblem(403, code, 'Forbidden Access', detail);

const unavailableDetail = 'The institution is not answering. Try again later.';

export const unavailable = (): BasiqProblem =>
  new BasiqProblem(503, 'service-unavailable', 'Service Unavailable.', unavailableDetail);

export function problemOfStatus(status: number): BasiqProblem {
  if (status === 429) return new BasiqProblem(429, 'too-many-requests', 'Too many requests.', 'Too many requests.');
  if (status === 503) return unavailable();
  const title = 'Internal Server error.';
  return new BasiqProblem(status, 'internal-server-error', title, `${title} Contact support.`);
}

/** Reads a body, or throws with the first fault found. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const parameter = parsed.error.issues[0]?.path.join('.') ?? '';
  throw parameterNotValid(`${parameter || 'Body'} value is not valid.`, parameter);
}

/** Basiq's lists differ in which counts they carry. */
export const listOf = <Item>(self: string, data: Item[], ...counts: ('size' | 'count')[]) => ({
  type: 'list',
  ...Object.fromEntries(counts.map((count) => [count, data.length])),
  data,
  links: { self },
});
