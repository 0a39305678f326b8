import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Crash } from '../faults/crash.ts';
import { stopLookingAgain } from './look-again-timers.ts';
import { inProgram } from './program.ts';

const lookAgain = () =>
  Promise.race([sleep(1, 'looked', { ref: false }), sleep(30, 'did not look')]) as Promise<string>;

test('in a living process no timer looks again at slow work, and pauses end', async () => {
  const restore = stopLookingAgain();
  try {
    expect(await inProgram({ crash: undefined }, lookAgain)).toBe('did not look');
    expect(await inProgram({ crash: undefined }, () => sleep(1, 'paused'))).toBe('paused');
    expect(await inProgram({ crash: new Crash('here') }, lookAgain)).toBe('looked');
    expect(await lookAgain()).toBe('looked');
  } finally {
    restore();
  }
  expect(await inProgram({ crash: undefined }, lookAgain)).toBe('looked');
});
