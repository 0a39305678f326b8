import { expect, test } from 'vitest';
import { FileAnswer } from './file.ts';
import { followed } from './live.ts';
import { consoleOperations } from './operations.ts';

const files = consoleOperations.filter(({ output }) => output === FileAnswer);
/** These have nothing of a person in them. */
const ofNobody = ['downloadPoster'];

test.each(files)('$name makes a file, so it is limited, and noted with who saved it', ({ name, isSlow, audited }) => {
  expect(isSlow).toBe(true);
  if (!ofNobody.includes(name)) expect(audited?.length).toBeGreaterThan(0);
});

/** Answers that no page keeps in sight, or that somebody edits, or that come from another service. */
const notFollowed = [
  'checkTenant',
  'findClubs',
  'lookUpAbn',
  'planRun',
  'previewMail',
  'retrieveProgramApi',
  'retrieveRequestText',
  'retrieveTenant',
];

test('what the pages of an organisation read is followed while it is in sight', () => {
  const read = consoleOperations.filter(
    ({ readsOnly, allowed, isSlow, audited }) => readsOnly && Array.isArray(allowed) && !isSlow && !audited,
  );
  const names = read.map(({ name }) => name);
  expect([...followed, ...notFollowed].toSorted()).toEqual(names.toSorted());
});
