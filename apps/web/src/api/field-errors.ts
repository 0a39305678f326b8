import { ApiError } from './api-error.ts';

/** What the server finds wrong with single fields of a form; `fields` says which path of the call is which field. */
export function fieldErrors<Field extends string>(error: unknown, fields: Record<string, Field>): [Field, string][] {
  if (!(error instanceof ApiError)) return [];
  const found = error.fields;
  return Object.entries(fields).flatMap(([path, field]): [Field, string][] => {
    const message = found[path];
    return message === undefined ? [] : [[field, message]];
  });
}
