import { expect, test } from 'vitest';
import { isLikelyHolder } from './account-holder.ts';

const robin = { firstName: 'Robin', lastName: "O'Brien-Núñez" };

test.each([
  ['ROBIN OBRIEN', true],
  ['MR R NUNEZ & MRS J SMITH', true],
  ['Brien, J', true],
  ['', true],
  [undefined, true],
  ['-', true],
  ['MRS JANE SMITH', false],
  ['MR AND MRS SMITH', false],
  ['R J SMITH', false],
  ['王小明', false],
])("an account of %j may be that of Robin O'Brien-Núñez: %s", (holder, expected) => {
  expect(isLikelyHolder(holder, robin)).toBe(expected);
});

test('names in other scripts are compared as well', () => {
  expect(isLikelyHolder('王 小明', { firstName: '小明', lastName: '王' })).toBe(true);
});
