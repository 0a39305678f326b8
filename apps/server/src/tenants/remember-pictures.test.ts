import { expect, test } from 'vitest';
import { rememberPictures } from './remember-pictures.ts';

/** Ten bytes each; names the pictures that were looked for. */
function pictures(most: number) {
  const asked: string[] = [];
  const read = rememberPictures(async (name) => {
    asked.push(name);
    return name === 'none' ? undefined : Buffer.alloc(10, name);
  }, most);
  return { asked, read };
}

test('a picture is looked for once, also by many at the same time', async () => {
  const { asked, read } = pictures(100);
  await Promise.all([read('a'), read('a'), read('b')]);
  expect(await read('a')).toEqual(Buffer.alloc(10, 'a'));
  expect(asked).toEqual(['a', 'b']);
});

test('the size is bounded: the least recently requested picture is looked for again', async () => {
  const { asked, read } = pictures(20);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await read(name);
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
});

test('one that is larger than all of it, and one that is not there, are not kept', async () => {
  const { asked, read } = pictures(9);
  for (const name of ['a', 'a', 'none', 'none']) await read(name);
  expect(asked).toEqual(['a', 'a', 'none', 'none']);
});
