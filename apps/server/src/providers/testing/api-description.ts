import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { load } from 'js-yaml';
import { folderBeside } from '#testing/beside-project.ts';

const { folder, describeWithIt } = folderBeside('provider-specs', "the providers' published descriptions");

export { describeWithIt as describeWithDescriptions };

export const descriptionFile = (file: string): string => join(folder, file);

/** A call and its answer, as transmitted. */
export interface Exchange {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  status: number;
  answer: string;
}

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/**
 * Turns OpenAPI 3.0 into JSON Schema: `nullable` becomes a type, and scalar examples and unknown types are dropped. An object
 * called `example` may be a property and stays.
 */
function asJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asJsonSchema);
  if (!isObject(node)) return node;
  const isRule = ([name, value]: [string, unknown]) =>
    (name !== 'example' || isObject(value)) &&
    (name !== 'type' || typeof value !== 'string' || jsonTypes.includes(value));
  const entries = Object.entries(node).filter(isRule);
  const plain: Json = Object.fromEntries(entries.map(([name, value]) => [name, asJsonSchema(value)]));
  if (plain.nullable !== true) return plain;
  if (typeof plain.type === 'string') {
    const { nullable: _nullable, ...rest } = plain;
    return {
      ...rest,
      type: [plain.type, 'null'],
      ...(Array.isArray(plain.enum) ? { enum: [...plain.enum, null] } : {}),
    };
  }
  return { anyOf: [plain, { type: 'null' }] };
}

const pointerPart = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

interface Described {
  document: Json;
  id: string;
  template: string;
  operation: Json;
  /** JSON pointer to the operation in its document. */
  pointer: string;
}

/** A provider's description of its own API, to compare calls and their answers with. */
export class ApiDescription {
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: true,
    coerceTypes: false,
    logger: false,
  });
  readonly #coercing = new Ajv2020({ strict: false, coerceTypes: 'array', logger: false });
  readonly #operations: Described[] = [];

  constructor(...files: string[]) {
    formats.default(this.#ajv);
    formats.default(this.#coercing);
    for (const file of files) this.#add(file);
  }

  #add(file: string): void {
    const document = asJsonSchema(load(readFileSync(descriptionFile(file), 'utf8')));
    if (!isObject(document) || !isObject(document.paths)) throw new Error(`${file} is no API description.`);
    const id = `https://descriptions.test/${file}`;
    const { info: _info, ...described } = document;
    this.#ajv.addSchema({ ...described, $id: id, $schema: 'https://json-schema.org/draft/2020-12/schema' }, id);
    for (const [template, item] of Object.entries(document.paths)) {
      if (!isObject(item)) continue;
      for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
        const operation = item[method];
        if (!isObject(operation)) continue;
        const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)];
        const pointer = `#/paths/${pointerPart(template)}/${method}`;
        this.#operations.push({ document, id, template, operation: { ...operation, method, parameters }, pointer });
      }
    }
  }

  #find(method: string, path: string): Described | undefined {
    const ofMethod = this.#operations.filter(({ operation }) => operation.method === method.toLowerCase());
    const found = findTemplate(
      ofMethod.map(({ template }) => template),
      path,
    );
    return ofMethod.find(({ template }) => template === found);
  }

  /** Lists in words what a call or its answer does that the description does not allow; `path` is below the API's root. */
  differences({ method, url, headers, body, status, answer }: Exchange, path: string): string[] {
    const described = this.#find(method, path);
    if (!described) return [`${method} ${path.replace(/[0-9a-f-]{16,}|[A-Z]+\.\w+/g, '…')} is not described`];
    const name = `${method} ${described.template}`;
    // What was refused may have been wrong on purpose.
    const request = status < 400 ? this.#requestDifferences(described, url, headers, body) : [];
    const response = this.#answerDifferences(described, status, answer);
    return [
      ...request.map((difference) => `${name}: request ${difference}`),
      ...response.map((difference) => `${name}: answer ${status} ${difference}`),
    ];
  }

  /** Lists in words what a request has that the description does not allow, regardless of its answer. */
  differencesOfRequest({ method, url, headers, body }: Omit<Exchange, 'status' | 'answer'>, path: string): string[] {
    const described = this.#find(method, path);
    if (!described) return [`${method} ${path} is not described`];
    const found = this.#requestDifferences(described, url, headers, body);
    return found.map((difference) => `${method} ${described.template}: request ${difference}`);
  }

  #requestDifferences(
    described: Described,
    url: URL,
    headers: Record<string, string>,
    body: string | undefined,
  ): string[] {
    const parameters = listOf(described.operation.parameters).map((each) => resolve(described.document, each));
    const query = [...url.searchParams.keys()];
    const known = parameters.filter((each) => each.in === 'query').map((each) => String(each.name));
    const unknown = query.filter((name) => !known.includes(name)).map((name) => `query ${name} is not described`);
    const wrong = parameters.flatMap((each) => {
      const name = String(each.name);
      const value =
        each.in === 'query'
          ? url.searchParams.get(name)
          : each.in === 'header'
            ? headers[name.toLowerCase()]
            : undefined;
      if (each.in !== 'query' && each.in !== 'header') return [];
      if (value === undefined || value === null) return each.required ? [`${each.in} ${name} is missing`] : [];
      const schema = resolve(described.document, each.schema);
      return this.#coercing.validate({ type: 'object', properties: { value: schema } }, { value })
        ? []
        : [`${each.in} ${name} ${this.#coercing.errorsText()}`];
    });
    const [type, sent] = parseBody(headers['content-type'], body);
    const wanted = resolve(described.document, described.operation.requestBody);
    const contents = wanted.content;
    if (body === undefined && wanted.required === true) return [...unknown, ...wrong, 'body is missing'];
    if (body === undefined || !type) return [...unknown, ...wrong];
    if (!isObject(contents) || !contents[type]) return [...unknown, ...wrong, `body as ${type} is not described`];
    return [...unknown, ...wrong, ...this.#validate(described, ['requestBody'], type, sent)];
  }

  #answerDifferences(described: Described, status: number, answer: string): string[] {
    const { responses } = described.operation;
    if (!isObject(responses) || !(String(status) in responses)) return ['is not described'];
    const contents = resolve(described.document, responses[String(status)]).content;
    if (!isObject(contents)) return answer === '' ? [] : ['has a body that is not described'];
    const [type] = Object.keys(contents);
    if (!type?.includes('json')) return [];
    try {
      return this.#validate(described, ['responses', String(status)], type, JSON.parse(answer));
    } catch (error) {
      return [`cannot be checked: ${(error as Error).message}`];
    }
  }

  #validate({ document, id, operation, pointer }: Described, place: string[], type: string, value: unknown): string[] {
    const holder = place.reduce<unknown>((node, part) => (isObject(node) ? node[part] : undefined), operation);
    const inPlace = `${pointer}/${place.map(pointerPart).join('/')}`;
    const at = isObject(holder) && typeof holder.$ref === 'string' ? holder.$ref : inPlace;
    const content = resolve(document, holder).content;
    if (!isObject(content) || !isObject(content[type]) || !content[type].schema) return [];
    const validate = this.#ajv.compile({ $ref: `${id}${at}/content/${pointerPart(type)}/schema` });
    if (validate(value)) return [];
    const words = (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath.replace(/\/\d+/g, '/*') || '/'} ${message}${params.allowedValues ? ` (${params.allowedValues})` : ''}`,
    );
    return [...new Set(words)];
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Finds a path's template, the one with the fewest parameters. */
export function findTemplate(templates: string[], path: string): string | undefined {
  const matches = templates.filter((template) => {
    const pattern = template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
  return matches.toSorted((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** Follows one `$ref` within its document. */
export function resolve(document: Json, node: unknown): Json {
  if (!isObject(node)) return {};
  if (typeof node.$ref !== 'string') return node;
  const parts = node.$ref.replace(/^#\//, '').split('/');
  const target = parts.reduce<unknown>(
    (at, part) => (isObject(at) ? at[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    document,
  );
  return resolve(document, target);
}

function parseBody(contentType: string | undefined, body: string | undefined): [string | undefined, unknown] {
  const type = contentType?.split(';')[0];
  if (body === undefined || !type) return [undefined, undefined];
  if (type === 'application/x-www-form-urlencoded') return [type, Object.fromEntries(new URLSearchParams(body))];
  return [type, JSON.parse(body)];
}

/** Returns a request as it is transmitted. */
export function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}) {
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  const body = typeof init.body === 'string' ? init.body : undefined;
  const { method = 'GET' } = init;
  return { method, url: new URL(String(input)), headers, body };
}

/** A `fetch` that remembers everything that went through it. */
export function recordingFetch(exchanges: Exchange[]): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    exchanges.push({ ...requestOf(input, init), status: response.status, answer: await response.clone().text() });
    return response;
  };
}

/** A way in which a provider, or our sandbox in its place, is not as described, and how we know. */
export interface KnownDifference {
  /** Matches the difference, without the number of the call. */
  difference: RegExp;
  because: string;
}

/** The differences nobody knows of, and the known ones that did not occur: both lists should be empty. */
export function compare(found: string[], known: KnownDifference[]): { unknown: string[]; unused: string[] } {
  return {
    unknown: [...new Set(found)].filter((each) => !known.some(({ difference }) => difference.test(each))).toSorted(),
    unused: known
      .filter(({ difference }) => !found.some((each) => difference.test(each)))
      .map(({ because }) => because),
  };
}
