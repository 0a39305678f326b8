import { expect, test } from 'vitest';
import { FileAnswer } from './file.ts';
import { consoleOperations } from './operations.ts';

const files = consoleOperations.filter(({ output }) => output === FileAnswer);
/** These have nothing of a person in them. */
const ofNobody = ['downloadPoster'];

test.each(files)('$name makes a file, so it is limited, and noted with who saved it', ({ name, isSlow, audited }) => {
  expect(isSlow).toBe(true);
  if (!ofNobody.includes(name)) expect(audited?.length).toBeGreaterThan(0);
});

test.each(consoleOperations)('$name has a valid example', ({ input, example = {} }) => {
  expect(input.safeParse(example).error).toBeUndefined();
});
