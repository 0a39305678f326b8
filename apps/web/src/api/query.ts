import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** A query that calls an operation and keeps what `read` takes of its output, under its name and input. */
export const queryOf = <Op extends Operation, Data>(
  operation: Op,
  input: InputOf<Op> & object,
  read: (output: OutputOf<Op>) => Data,
) =>
  queryOptions({
    queryKey: [operation.name, ...Object.values(input)] as readonly unknown[],
    queryFn: async () => read(await call(operation, input)),
  });
