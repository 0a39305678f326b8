import type { ESTree, Plugin } from 'vite';

/** The fields of an operation that a call needs. The rest is the server's, which checks inputs and outputs by it. */
const called = ['name', 'method', 'path', 'access'];

/**
 * Leaves the schemas that no screen uses out of the browser's files, and with them the schema library (22 kB): of an
 * operation its address remains, and every constant goes that nothing reads. Forms keep their schemas.
 */
export const leanContract: Plugin = {
  name: 'lean-contract',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/packages/contract/src/')) return undefined;
    const module = this.parse(code);
    const addressed = constantsIn(module).reduceRight(
      (written, value) => written.slice(0, value.start) + leanly(value, code) + written.slice(value.end),
      code,
    );
    const lean = unusedImportsIn(this.parse(addressed)).reduceRight(
      (written, { start, end }) => written.slice(0, start) + written.slice(end),
      addressed,
    );
    return { code: lean, map: null };
  },
};

/** Returns the imports of names that a module no longer has: what they import would be put into the same file. */
function unusedImportsIn({ body }: ESTree.Program): ESTree.ImportDeclaration[] {
  const imports = body.filter((statement) => statement.type === 'ImportDeclaration');
  const names = new Set(body.filter((statement) => statement.type !== 'ImportDeclaration').flatMap(namesIn));
  return imports.filter(({ specifiers }) => specifiers.every(({ local }) => !names.has(local.name)));
}

/** Returns every name within a part of a module. */
function namesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('type' in part && part.type === 'Identifier' && 'name' in part) return [String(part.name)];
  return Object.values(part).flatMap(namesIn);
}

/** Returns the values of a module's constants in their order. */
function constantsIn({ body }: ESTree.Program): ESTree.Expression[] {
  return body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ init }) => init ?? []);
  });
}

function leanly(value: ESTree.Expression, code: string): string {
  const text = code.slice(value.start, value.end);
  if (!['CallExpression', 'NewExpression', 'ObjectExpression', 'ArrayExpression'].includes(value.type)) return text;
  return addressOf(value, code) ?? `/* @__PURE__ */ (() => (${text}))()`;
}

/** Writes what a call needs of an operation; undefined for any other value. */
function addressOf(value: ESTree.Expression, code: string): string | undefined {
  if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier') return undefined;
  const [definition] = value.arguments;
  if (value.callee.name !== 'operation' || definition?.type !== 'ObjectExpression') return undefined;
  const fields = definition.properties.filter(
    (field) => field.type === 'Property' && field.key.type === 'Identifier' && called.includes(field.key.name),
  );
  if (fields.length < called.length)
    throw new Error(`Write ${called.join(', ')} of the operation itself: ${code.slice(value.start, value.end)}`);
  return `{ ${fields.map(({ start, end }) => code.slice(start, end)).join(', ')} }`;
}
