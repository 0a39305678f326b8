import { type ConsoleOperation, isFollowed } from '@sparechange/contract/console';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './call.ts';

type Options<Op extends ConsoleOperation> = Omit<UseQueryOptions<z.output<Op['output']>>, 'queryKey' | 'queryFn'>;

/** Reads an operation's answer; lists shown page by page are read by useList. */
export function useAnswer<Op extends ConsoleOperation>(
  operation: Op,
  input: z.input<Op['input']>,
  options?: Options<Op>,
) {
  return useQuery({
    ...options,
    meta: { isFollowed: isFollowed(operation) },
    queryKey: [operation.name, 'answer', input], // a list of the same operation is kept under another key
    queryFn: () => call(operation, input),
  });
}
