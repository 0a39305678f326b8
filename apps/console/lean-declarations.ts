import { pathToFileURL } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

/** Writes the words of calls as they are at the build, so that the audit log does not load every declaration for them. */
export const wordsAtBuild: Plugin = {
  name: 'words-at-build',
  apply: 'build',
  load: async (id) => {
    if (!id.endsWith('/audit-log/words-of-calls.ts')) return undefined;
    const { wordsOfCalls } = await import(pathToFileURL(id).href);
    return `export const wordsOfCalls = ${JSON.stringify(wordsOfCalls)};`;
  },
};

/** Fields of a declaration that no page reads. */
const unread = ['words', 'example'];

/** Leaves the fields that no page reads out of the declarations of the console's calls. */
export const leanDeclarations: Plugin = {
  name: 'lean-declarations',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/contract/src/console/')) return undefined;
    return unreadFieldsIn(this.parse(code)).reduceRight(
      (lean, { start, end }) => lean.slice(0, start) + lean.slice(end).replace(/^\s*,/, ''),
      code,
    );
  },
};

/** Returns the places of the fields that no page reads, in their order. */
function unreadFieldsIn({ body }: ReturnType<Rolldown.PluginContext['parse']>): { start: number; end: number }[] {
  const values = body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
      ? statement.declaration.declarations.map(({ init }) => init)
      : [],
  );
  return values.flatMap((value) => {
    if (value?.type !== 'CallExpression' || value.callee.type !== 'Identifier') return [];
    const [definition] = value.arguments;
    if (value.callee.name !== 'consoleOperation' || definition?.type !== 'ObjectExpression') return [];
    return definition.properties.filter(
      (field) => field.type === 'Property' && field.key.type === 'Identifier' && unread.includes(field.key.name),
    );
  });
}
