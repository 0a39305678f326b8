import { serveWork } from '#documents/serve-work.ts';
import { InvalidInput } from '#errors.ts';
import { type IdentifiedLine, identifyLines } from './line-identity.ts';
import { parseStatement } from './parse-statement.ts';
import type { ReadAnswer } from './read-statement.ts';

/** Lines per message, which the server reads in a few milliseconds. */
const linesOfPart = 500;

await serveWork({
  readStatement: function* (file: Uint8Array | string): Generator<IdentifiedLine[], ReadAnswer> {
    try {
      const statement = parseStatement(file);
      const lines = identifyLines(statement.lines);
      for (let at = 0; at < lines.length; at += linesOfPart) yield lines.slice(at, at + linesOfPart);
      return { statement: { ...statement, lines: [] } };
    } catch (error) {
      if (error instanceof InvalidInput) return { problem: error.message };
      throw error;
    }
  },
});
