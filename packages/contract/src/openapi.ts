import { z } from 'zod';
import { ErrorBody } from './error-body.ts';
import { examples as examplesOfPeople } from './examples.ts';
import type { Operation } from './operation.ts';
import { programExamples } from './program-examples.ts';
import type { ProgramOperation } from './programs.ts';

export { exampleIds } from './example-records.ts';
export { examples } from './examples.ts';
export { programExamples } from './program-examples.ts';

type Json = Record<string, unknown>;
type Described = Operation | ProgramOperation;

const examples = { ...examplesOfPeople, ...programExamples };

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
const keyRefusals = {
  401: 'the API key is missing, unknown or not valid any more',
  403: 'the API key lacks the scope',
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

const namesInPath = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Returns the schema of a body, without what stands in the path. */
function bodyOf({ path, input }: Described): Json {
  const { properties, required, ...rest } = schemaOf(input, 'input') as { properties?: Json; required?: string[] };
  const inPath = namesInPath(path);
  if (!properties || inPath.length === 0) return schemaOf(input, 'input');
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.includes(name))),
    required: (required ?? []).filter((name) => !inPath.includes(name)),
  };
}

function parametersOf(operation: Described): Json[] {
  const { method, path, input } = operation;
  const headers = operation.access === 'program' ? {} : operation.headers;
  const inPath = namesInPath(path);
  const own = Object.entries(headers ?? {}).map(([name, { description, schema }]) =>
    header(name, description, schemaOf(schema, 'input'), !schema.safeParse(undefined).success),
  );
  const { properties = {}, required = [] } = schemaOf(input, 'input') as { properties?: Json; required?: string[] };
  const given = Object.entries(properties)
    .filter(([name]) => method === 'GET' || inPath.includes(name))
    .map(([name, schema]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: required.includes(name),
      schema,
    }));
  return [...(operation.access === 'program' ? [] : keyHeaders), ...own, ...given];
}

/** Returns the refusals of an operation: status and reason. */
export function refusalsOf({ method, access, refusals = {} }: Described): Record<number, string> {
  const all: Record<number, string> = { ...commonRefusals, ...(access === 'program' ? keyRefusals : {}) };
  if (method === 'GET') for (const status of [408, 413, 415]) delete all[status];
  if (access === 'supporter') all[403] = notYours;
  for (const [status, when] of Object.entries(refusals)) {
    const known = all[Number(status)];
    all[Number(status)] = known ? `${known}; ${when}` : when;
  }
  return all;
}

function responsesOf(operation: Described): Json {
  const example = examples[operation.name]?.output;
  const content = { 'application/json': { schema: schemaOf(operation.output, 'output'), example } };
  const answers = operation.access === 'program' ? undefined : operation.answers;
  const successes = Object.entries(answers ?? { 200: 'done' });
  const failures = Object.entries(refusalsOf(operation)).map(([status, when]) => [
    status,
    { description: when, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]);
  return Object.fromEntries([
    ...successes.map(([status, description]) => [status, { description, content }]),
    ...failures,
  ]);
}

const securityOf: Record<Described['access'], Json[]> = {
  open: [],
  supporter: [{ idToken: [] }],
  program: [{ apiKey: [] }],
};

function describe(operation: Described): Json {
  const { name, method, path, access, summary } = operation;
  const inPath = namesInPath(path);
  const example = Object.fromEntries(
    Object.entries(examples[name]?.input ?? {}).filter(([field]) => !inPath.includes(field)),
  );
  const requestBody = {
    required: true,
    content: { 'application/json': { schema: bodyOf(operation), example } },
  };
  return {
    operationId: name,
    summary: access === 'program' ? `${summary} Scope: ${operation.scope}.` : summary,
    security: securityOf[access],
    parameters: parametersOf(operation),
    ...(method === 'GET' ? {} : { requestBody }),
    responses: responsesOf(operation),
  };
}

const keyComponents = { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } };
const peopleComponents = {
  securitySchemes: { idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  parameters: {
    apikey: header('apikey', "The tenant's key, from its settings file.", { type: 'string' }, true),
    tenant: header('tenant', "The tenant's identifier, underscore form.", { type: 'string' }, true),
  },
};

const descriptionOfPeople =
  'Every call carries the tenant’s apikey and tenant headers. Unknown fields are ignored; every refusal has one shape. No cookies are used.';
const descriptionOfPrograms =
  'Every call carries an API key as a bearer token. Amounts are whole cents, days are days in Sydney. Unknown fields are ignored; every refusal has one shape.';

/** Returns the OpenAPI 3.1 document of operations of people or of programs; `server` may include a host. */
export function openApi(operations: readonly Described[], server = '/api'): Json {
  const isForPrograms = operations.some(({ access }) => access === 'program');
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sparechange',
      version: '1',
      description: isForPrograms ? descriptionOfPrograms : descriptionOfPeople,
    },
    servers: [{ url: server }],
    paths,
    components: {
      ...(isForPrograms ? keyComponents : peopleComponents),
      schemas: { Error: schemaOf(ErrorBody, 'output') },
    },
  };
}
