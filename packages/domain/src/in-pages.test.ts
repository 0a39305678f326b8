import { expect, test } from 'vitest';
import { inPages } from './in-pages.ts';

async function* upTo(count: number) {
  for (let number = 1; number <= count; number += 1) yield number;
}
async function pagesOf(count: number, pageSize: number): Promise<number[][]> {
  const pages: number[][] = [];
  for await (const page of inPages(upTo(count), pageSize)) pages.push(page);
  return pages;
}

test('the last page has what is left over', async () => expect(await pagesOf(5, 2)).toEqual([[1, 2], [3, 4], [5]]));

test('full pages are followed by no empty one', async () =>
  expect(await pagesOf(4, 2)).toEqual([
    [1, 2],
    [3, 4],
  ]));

test('without items there is no page', async () => expect(await pagesOf(0, 2)).toEqual([]));
