import { randomUUID } from 'node:crypto';

interface Source {
  parameter?: string;
  pointer?: string;
}

/** A refusal as Basiq words it. */
export class BasiqProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly source: Source;

  constructor(status: number, code: string, title: string, detail: string, source: Source = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.source = source;
  }
}

export const envelope = ({ code, title, message: detail, source }: BasiqProblem) => ({
  type: 'list',
  correlationId: randomUUID(),
  data: [{ type: 'error', code, title, detail, source }],
});

export const parameterNotValid = (detail: string, parameter: string): BasiqProblem =>
  new BasiqProblem(400, 'parameter-not-valid', 'Parameter value is not valid.', detail, { parameter });

export const parameterNotSupplied = (detail: string, parameter: string): BasiqProblem =>
  new BasiqProblem(400, 'parameter-not-supplied', 'Required parameter not supplied', detail, { parameter });

export const notFound = (detail: string): BasiqProblem =>
  new BasiqProblem(404, 'resource-not-found', 'Requested resource is not found.', detail);

export const unauthorized = (detail: string): BasiqProblem =>
  new BasiqProblem(401, 'invalid-authorization-token', 'Invalid authorization token.', detail);

export const forbidden = (code: string, detail: string): BasiqProblem =>
  new BasiqProblem(403, code, 'Forbidden Access', detail);

export const unavailable = (): BasiqProblem =>
  new BasiqProblem(
    503,
    'service-unavailable',
    'Service Unavailable.',
    'The institution is not answering. Try again later.',
  );

export const problemOfStatus = (status: number): BasiqProblem => {
  if (status === 429) return new BasiqProblem(429, 'too-many-requests', 'Too many requests.', 'Too many requests.');
  if (status === 503) return unavailable();
  return new BasiqProblem(
    status,
    'internal-server-error',
    'Internal Server error.',
    'Internal Server error. Contact support.',
  );
};
