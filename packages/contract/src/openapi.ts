import { z } from 'zod';
import { ErrorBody } from './error-body.ts';
import { examples } from './examples.ts';
import type { Operation } from './operation.ts';

export { exampleIds } from './example-records.ts';
export { examples } from './examples.ts';

type Json = Record<string, unknown>;

/** The refusals of every operation; `signed-out` and foreign ids only where a supporter is asked for. */
const commonRefusals: Record<number, string> = {
  400: 'the payload is not as it should be; `fields` names what is wrong',
  401: 'the apikey and tenant headers are not known as a pair, or the ID token is missing or not valid',
  408: 'the body did not arrive in time',
  413: 'the body is over the limit of 64 kB',
  415: 'the body is not sent as application/json',
  429: 'too many requests; Retry-After says how many seconds to wait',
  503: 'not now: Retry-After says how many seconds to wait',
};
const notYours = 'an id in the payload is not the caller’s, whether or not it exists';

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

const header = (name: string, description: string, schema: Json, required: boolean): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

const keyHeaders = [
  { $ref: '#/components/parameters/apikey' },
  { $ref: '#/components/parameters/tenant' },
] satisfies Json[];

function parametersOf({ method, input, headers }: Operation): Json[] {
  const own = Object.entries(headers ?? {}).map(([name, { description, schema }]) =>
    header(name, description, schemaOf(schema, 'input'), !schema.safeParse(undefined).success),
  );
  const { properties = {}, required = [] } = schemaOf(input, 'input') as { properties?: Json; required?: string[] };
  const query = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...keyHeaders, ...own, ...(method === 'GET' ? query : [])];
}

/** Returns the refusals of an operation: status and reason. */
export function refusalsOf({ method, access, refusals = {} }: Operation): Record<number, string> {
  const all: Record<number, string> = { ...commonRefusals };
  if (method === 'GET') for (const status of [408, 413, 415]) delete all[status];
  if (access === 'supporter') all[403] = notYours;
  for (const [status, when] of Object.entries(refusals)) {
    const known = all[Number(status)];
    all[Number(status)] = known ? `${known}; ${when}` : when;
  }
  return all;
}

function responsesOf(operation: Operation): Json {
  const example = examples[operation.name]?.output;
  const content = { 'application/json': { schema: schemaOf(operation.output, 'output'), example } };
  const successes = Object.entries(operation.answers ?? { 200: 'done' });
  const failures = Object.entries(refusalsOf(operation)).map(([status, when]) => [
    status,
    { description: when, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]);
  return Object.fromEntries([
    ...successes.map(([status, description]) => [status, { description, content }]),
    ...failures,
  ]);
}

function describe(operation: Operation): Json {
  const { name, method, access, summary, input } = operation;
  const example = examples[name]?.input;
  const requestBody = {
    required: true,
    content: { 'application/json': { schema: schemaOf(input, 'input'), example } },
  };
  return {
    operationId: name,
    summary,
    security: access === 'supporter' ? [{ idToken: [] }] : [],
    parameters: parametersOf(operation),
    ...(method === 'POST' ? { requestBody } : {}),
    responses: responsesOf(operation),
  };
}

/** Returns the OpenAPI 3.1 document; `server` may include a host. */
export function openApi(operations: readonly Operation[], server = '/api'): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sparechange',
      version: '1',
      description:
        'Every call carries the tenant’s apikey and tenant headers. Unknown fields are ignored; every refusal has one shape. No cookies are used.',
    },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: { idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      parameters: {
        apikey: header('apikey', "The tenant's key, from its settings file.", { type: 'string' }, true),
        tenant: header('tenant', "The tenant's identifier, underscore form.", { type: 'string' }, true),
      },
      schemas: { Error: schemaOf(ErrorBody, 'output') },
    },
  };
}
