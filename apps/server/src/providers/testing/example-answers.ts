import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { descriptionFile, findTemplate, isObject, type Json, resolve } from './api-description.ts';

/** Values of a schema that has no example. */
const plainValues: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true };

/** Builds a value of a schema, of its examples where it has some. */
function exampleOf(document: Json, node: unknown): unknown {
  const schema = resolve(document, node);
  if (schema.example !== undefined) return schema.example;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((part: unknown) => exampleOf(document, part)));
  if (schema.items !== undefined) return [exampleOf(document, schema.items)];
  if (isObject(schema.properties))
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, exampleOf(document, property)]),
    );
  return plainValues[String(schema.type)] ?? {};
}

function findOperation(paths: Json, method: string, path: string): Json | undefined {
  const items = Object.entries(paths).filter(([, item]) => isObject(item) && isObject(item[method]));
  const template = findTemplate(
    items.map(([each]) => each),
    path,
  );
  return template === undefined ? undefined : ((paths[template] as Json)[method] as Json);
}

/** Answers as a provider's description shows an answer to look, and remembers nothing. */
export function exampleAnswers(file: string): (method: string, path: string) => Response {
  const document = load(readFileSync(descriptionFile(file), 'utf8')) as Json;
  return (method, path) => {
    const operation = findOperation(document.paths as Json, method.toLowerCase(), path);
    const responses = Object.entries((operation?.responses ?? {}) as Json);
    const [status, response] = responses.find(([code]) => code.startsWith('2')) ?? ['404', {}];
    const content = Object.values((resolve(document, response).content ?? {}) as Json)[0];
    if (!isObject(content)) return new Response(null, { status: Number(status) });
    return Response.json(content.example ?? exampleOf(document, content.schema), { status: Number(status) });
  };
}
