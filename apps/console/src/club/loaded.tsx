import { Notice } from '@sparechange/web/ui/notice.tsx';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '#api/call-problem.ts';
import { Loading } from '../ui/page.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** Shows what was read, or that it is being read, or why it cannot be. */
export function Loaded<Data>({ query: { data, error }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error ? <Notice>{sentenceOf(error)}</Notice> : <Loading />;
}
