import { type ConsoleOperation, isFollowed } from '@sparechange/contract/console';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useHref, useLocation, useSearchParams } from 'react-router';
import { call } from './call.ts';

interface Page<Row> {
  rows: Row[];
  next: string | null;
  /** Names of the database's nodes that did not answer; rows of their buckets are missing. */
  silentServers?: string[];
}

/** An operation that lists rows page by page. */
export type ListOperation<Row> = ConsoleOperation & { output: { _output: Page<Row> } };

const namesOf = (pages: Pick<Page<unknown>, 'silentServers'>[]): string[] => [
  ...new Set(pages.flatMap(({ silentServers = [] }) => silentServers)),
];

const withoutSort = ({ sort: _, ...filter }: Record<string, string>): string => JSON.stringify(filter);

/** Reads a list page by page, with this filter. While it is sorted otherwise, the rows of before stay. */
export function useList<Row>(operation: ListOperation<Row>, filter: Record<string, string> = {}) {
  const list = useInfiniteQuery({
    meta: { isFollowed: isFollowed(operation) },
    queryKey: [operation.name, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readPage(operation, { ...filter, after: pageParam }),
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous, query) => {
      const before = query?.queryKey[1] as Record<string, string> | undefined;
      return before && withoutSort(before) === withoutSort(filter) ? previous : undefined;
    },
  });
  const pages = list.data?.pages;
  return { ...list, rows: pages?.flatMap(({ rows }) => rows), silentServers: namesOf(pages ?? []) };
}

async function readPage<Row>(operation: ListOperation<Row>, input: Record<string, unknown>) {
  return (await call(operation, input)) as Page<Row>;
}

const rowsPerExportedPage = 1_000;
const maxExportedPages = 50;

/** Reads a whole list for an export; `isCut` is true where it had more than 50,000 rows. */
export async function readWholeList<Row>(operation: ListOperation<Row>, filter: Record<string, string>) {
  const pages: Page<Row>[] = [];
  let after: string | undefined;
  do {
    const page = await readPage(operation, { ...filter, after, limit: rowsPerExportedPage });
    pages.push(page);
    after = page.next ?? undefined;
  } while (after !== undefined && pages.length < maxExportedPages);
  return { rows: pages.flatMap(({ rows }) => rows), isCut: after !== undefined, silentServers: namesOf(pages) };
}

/** Keeps the filter of a list in the address, where it can be linked to and gone back to. */
export function useFilter<Name extends string>(...names: Name[]) {
  const [params, setParams] = useSearchParams();
  const address = useHref(useLocation().pathname);
  const filter = Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<Name, string>> & Record<string, string>;
  const setFilter = (name: Name, value: string) => {
    // Drops typed values once another page is on its way; this one stays until that is loaded.
    if (window.location.pathname !== address) return;
    // The address itself: `params` are those of the last render, and a second change before the next would undo the first.
    const next = new URLSearchParams(window.location.search);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  return { filter, setFilter };
}
