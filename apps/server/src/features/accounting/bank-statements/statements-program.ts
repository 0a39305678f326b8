import { serveWork } from '#documents/serve-work.ts';
import { InvalidInput } from '#errors.ts';
import { ColumnQuestion } from './mapped-columns.ts';
import { openStatement, type SentFile, type StatementRequest } from './open-statement.ts';
import type { ReadAnswer } from './read-statement.ts';
import { AccountQuestion } from './several-statements.ts';

await serveWork({
  readStatement: function* (file: SentFile): Generator<unknown, ReadAnswer, StatementRequest | undefined> {
    try {
      const { facts, answer } = openStatement(file);
      let request = yield facts;
      while (request) request = yield answer(request);
      return {};
    } catch (error) {
      if (error instanceof ColumnQuestion)
        return { problem: error.message, fields: error.fields, unknown: error.unknown };
      if (error instanceof AccountQuestion)
        return { problem: error.message, fields: error.fields, accounts: error.accounts };
      if (error instanceof InvalidInput) return { problem: error.message, fields: error.fields };
      throw error;
    }
  },
});
