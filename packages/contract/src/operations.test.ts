import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { examples } from './examples.ts';
import * as contract from './index.ts';
import { type Operation, operations } from './index.ts';

/** The calls that the specification writes out, then the paths that it declares, each in its order. */
const specifiedCalls = [
  'POST /client/round-up/user/get-user',
  'POST /client/round-up/user/register',
  'POST /client/round-up/user/consent',
  'POST /client/round-up/user/register-funding',
  'POST /client/round-up/user/consent-extend',
  'POST /client/round-up/user/consent-expired',
  'POST /clubs/find',
  'GET /clubs/retrieve',
  'POST /client/round-up/user/check-consent',
  'POST /handlers/basiq/find-jobs',
  'POST /client/round-up/user/check-job',
  'POST /client/round-up/user/retrieve-accounts',
  'POST /client/round-up/user/accounts',
  'POST /client/round-up/user/set-roundup-accounts',
  'POST /client/round-up/user/set-roundup-amount',
  'POST /client/round-up/user/set-weekly-limit',
  'POST /client/round-up/user/set-pause',
  'POST /client/round-up/user/onboarding-complete',
  'POST /client/round-up/user/manage-consent',
  'POST /client/round-up/user/retrieve-total-debits',
  'POST /client/round-up/user/debits-ytd',
  'POST /client/round-up/user/debits-total',
  'POST /client/round-up/user/retrieve-history',
  'POST /client/round-up/user/linked-savings',
  'POST /client/round-up/user/submit-savings-account',
  'POST /client/round-up/user/set-savings-account',
  'POST /client/round-up/user/update-roundup-accounts',
  'POST /client/round-up/user/donate-now',
  'POST /client/round-up/user/update-funding-account',
  'POST /clubs/club',
];

test('every call of the specification is an operation', () => {
  const calls = operations.map(({ method, path }) => `${method} ${path}`);
  expect(calls).toEqual(expect.arrayContaining(specifiedCalls));
  expect(new Set(calls).size).toBe(calls.length);
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
});

test('every exported operation is in the list', () => {
  const isOperation = (value: unknown): value is Operation =>
    typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
  const exported = Object.values<unknown>(contract).filter(isOperation);
  expect(exported.map(({ name }) => name).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
});

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Returns the paths of a schema's parts that have no limit on their size. */
function findUnbounded(schema: Schema, at: string): string[] {
  const innerPaths = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => findUnbounded(part, `${at}.${name}`)),
    ...(schema.items ? findUnbounded(schema.items, `${at}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((part) => findUnbounded(part, at)),
  ];
  const isClosedSet = schema.enum !== undefined || schema.const !== undefined || schema.format === 'uuid';
  if (isClosedSet) return innerPaths;
  const { minimum = schema.exclusiveMinimum, maximum, maxLength, maxItems } = schema;
  const isBounded: Record<string, boolean> = {
    string: maxLength !== undefined,
    array: maxItems !== undefined,
    number: minimum !== undefined && maximum !== undefined,
    integer: minimum !== undefined && maximum !== undefined,
  };
  return isBounded[schema.type ?? ''] === false ? [at, ...innerPaths] : innerPaths;
}

/** Returns the paths of texts in the example that can be replaced by `hostile` and are still accepted. */
function findAccepting(operation: Operation, hostile: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string, replaceWith: (changed: unknown) => unknown): void => {
    if (typeof value === 'string' && operation.input.safeParse(replaceWith(hostile)).success) found.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const replaceInner = (changed: unknown) =>
        replaceWith(Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed });
      visit(inner, `${path}.${key}`, replaceInner);
    }
  };
  visit(examples[operation.name]?.input, operation.name, (changed) => changed);
  return found;
}

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  test('has an example that matches its schemas', () => {
    const { input, output } = examples[name] ?? {};
    expect(operation.input.safeParse(input).error).toBeUndefined();
    expect(operation.output.safeParse(output).error).toBeUndefined();
    expect(operation.output.parse(output)).toEqual(output);
  });

  test('bounds every input that a caller may send', () => {
    expect(findUnbounded(z.toJSONSchema(operation.input, { io: 'input' }) as Schema, name)).toEqual([]);
  });

  test('accepts no text that cannot be stored', () => {
    expect(
      ['a\0b', 'a\nb', 'a\ud800b', 'a\u202eb', '\u3164'].flatMap((hostile) => findAccepting(operation, hostile)),
    ).toEqual([]);
  });

  test('ignores fields it does not know', () => {
    const { input } = examples[name] ?? {};
    expect(operation.input.parse({ ...input, _unknown: 1 })).toEqual(operation.input.parse(input));
  });
});
