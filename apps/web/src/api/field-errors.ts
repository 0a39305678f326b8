import { ApiError } from './api-error.ts';

/** Returns the server's problems with single fields of a form; `fields` maps a path of the call to its field. */
export function fieldErrors<Field extends string>(error: unknown, fields: Record<string, Field>): [Field, string][] {
  if (!(error instanceof ApiError)) return [];
  const found = error.fields;
  return Object.entries(fields).flatMap(([path, field]): [Field, string][] => {
    const message = found[path];
    return message === undefined ? [] : [[field, message]];
  });
}
