import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** Returns a query that calls an operation and caches `read`'s part of its output by name and input. */
export const queryOf = <Op extends Operation, Data>(
  operation: Op,
  input: InputOf<Op> & object,
  read: (output: OutputOf<Op>) => Data,
) =>
  queryOptions({
    queryKey: [operation.name, ...Object.values(input)] as readonly unknown[],
    queryFn: async () => read(await call(operation, input)),
  });
