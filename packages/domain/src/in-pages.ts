/** Groups items into pages of the same size, the last of which may be shorter; without items there is no page. */
export async function* inPages<Item>(items: AsyncIterable<Item>, pageSize: number): AsyncIterable<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
