import { beforeEverybody } from './work-repository.ts';

/** Yields a list of supporters page by page, by their ids: one whose work fails is met once, and keeps no other from its turn. */
export async function* supporterPages<Row extends { supporterId: string }>(
  list: (after: string, limit: number) => Promise<Row[]>,
  pageSize = 200,
): AsyncIterable<Row[]> {
  for (let after = beforeEverybody; ; ) {
    const page = await list(after, pageSize);
    yield page;
    after = page.at(-1)?.supporterId ?? after;
    if (page.length < pageSize) return;
  }
}
