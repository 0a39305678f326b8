import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { offerIfOutdated } from './new-version.ts';

/** Returns a query that calls an operation and caches `read`'s part of its output by name and input. */
export const queryOf = <Op extends Operation, Data>(
  operation: Op,
  input: InputOf<Op> & object,
  read: (output: OutputOf<Op>) => Data,
) =>
  queryOptions({
    queryKey: [operation.name, ...Object.values(input)] as readonly unknown[],
    queryFn: async () => readOrOffer(await call(operation, input), read),
  });

/** Reads an answer; one that cannot be read is perhaps a newer server's, so the version of its pages is looked at. */
function readOrOffer<Output, Data>(output: Output, read: (output: Output) => Data): Data {
  try {
    return read(output);
  } catch (error) {
    offerIfOutdated().catch(() => undefined);
    throw error;
  }
}
