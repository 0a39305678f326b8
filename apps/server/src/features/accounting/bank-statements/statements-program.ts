import { serveWork } from '#documents/serve-work.ts';
import { InvalidInput } from '#errors.ts';
import { type IdentifiedLine, identifyLines } from './line-identity.ts';
import { parseStatement } from './parse-statement.ts';
import type { ReadAnswer } from './read-statement.ts';

/** Lines in one message to the server, which reads it in a few milliseconds. */
const linesPerMessage = 500;

await serveWork({
  readStatement: function* (file: Uint8Array | string): Generator<IdentifiedLine[], ReadAnswer> {
    try {
      const statement = parseStatement(file);
      const lines = identifyLines(statement.lines);
      for (let start = 0; start < lines.length; start += linesPerMessage)
        yield lines.slice(start, start + linesPerMessage);
      return { statement: { ...statement, lines: [] } };
    } catch (error) {
      if (error instanceof InvalidInput) return { problem: error.message };
      throw error;
    }
  },
});
