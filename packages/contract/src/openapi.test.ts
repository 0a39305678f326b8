import { expect, test } from 'vitest';
import { donateNow, operations, retrieveClubs } from './index.ts';
import { openApi, programExamples, refusalsOf } from './openapi.ts';
import { programOperations } from './programs.ts';

const document = openApi(operations) as {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; parameters: { name?: string; in?: string }[] }>>;
};

test('every operation is described once, at its path and method', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
  );
  const expected = operations.map(({ name, method, path }) => `${name}: ${method.toLowerCase()} ${path}`);
  expect(described.toSorted()).toEqual(expected.toSorted());
});

test('it is OpenAPI 3.1 and survives being sent', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test('query and header parameters are named', () => {
  const parameters = (path: string, method: string) =>
    document.paths[path]?.[method]?.parameters.flatMap((each) => (each.name ? [`${each.in} ${each.name}`] : []));
  expect(parameters(retrieveClubs.path, 'get')).toEqual(['query parentClubId']);
  expect(parameters(donateNow.path, 'post')).toEqual(['header Idempotency-Key']);
});

test('what is refused depends on who may call', () => {
  expect(Object.keys(refusalsOf(retrieveClubs))).toEqual(['400', '401', '429', '503']);
  expect(refusalsOf(donateNow)[403]).toMatch(/not the caller.*campaign has ended/);
});

const ofPrograms = openApi(Object.values(programOperations)) as {
  paths: Record<string, Record<string, { security: unknown; parameters: { name: string; in: string }[] }>>;
  components: { securitySchemes: object };
};

test('operations of programs want a key, and name what stands in the path', () => {
  const { security, parameters } = ofPrograms.paths['/v1/clubs/{id}']?.patch ?? { security: [], parameters: [] };
  expect(security).toEqual([{ apiKey: [] }]);
  expect(Object.keys(ofPrograms.components.securitySchemes)).toEqual(['apiKey']);
  expect(parameters.map((each) => `${each.in} ${each.name}`)).toEqual(['path id']);
  const listed = ofPrograms.paths['/v1/payouts']?.get?.parameters.map((each) => `${each.in} ${each.name}`);
  expect(listed).toEqual(['query cursor', 'query limit', 'query clubId', 'query from', 'query to']);
});

test.each(Object.values(programOperations))('$name has an example that is what it says', ({ name, input, output }) => {
  const example = programExamples[name];
  expect(input.safeParse(example?.input).error).toBeUndefined();
  expect(output.parse(example?.output)).toEqual(example?.output);
});
