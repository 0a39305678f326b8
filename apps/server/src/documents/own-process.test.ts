import { constants, getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { ownProcess } from './own-process.ts';

const program = new URL('./testing/stand-in-program.ts', import.meta.url);
const limits = { cpuMs: 60_000, wallMs: 120_000, memoryMb: 400, maxWaiting: 5 };
const stranger = ownProcess(program, limits);

test('work of every kind is done one piece after the other', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  expect(await Promise.all([stranger.run('echo', { bytes }), stranger.run('echo', undefined)])).toEqual([
    { bytes },
    undefined,
  ]);
});

test('work that throws fails with the same error', async () => {
  await expect(stranger.run('refuse', null)).rejects.toMatchObject({ name: 'TypeError', message: 'not a drawing' });
});

test.each([
  ['ends the process', 'exit', {}, /\(3\)/],
  ['aborts it, as native code does', 'abort', {}, /SIGABRT/],
  ['never answers', 'neverAnswer', { wallMs: 200 }, /no answer in 200 ms/],
  ['calculates without end', 'spin', { cpuMs: 100 }, /more than 100 ms of processor time/],
  ['takes memory without end', 'grow', {}, /more than 400 MB of memory/],
])('a piece that %s fails alone; the process is replaced for those that wait', async (_what, name, own, why) => {
  const [failed, next] = await Promise.allSettled([stranger.run(name, null, own), stranger.run('echo', 'next')]);
  expect(failed).toMatchObject({
    status: 'rejected',
    reason: { name: 'ProcessEnded', message: expect.stringMatching(why) },
  });
  expect(next).toEqual({ status: 'fulfilled', value: 'next' });
});

test('a process that keeps too much memory is replaced before the next piece, which fails for none of it', async () => {
  const first = await stranger.run('keep', 10);
  expect(await stranger.run('keep', 250)).toBe(first);
  const second = await stranger.run('keep', 250);
  expect(second).not.toBe(first);
  expect(await stranger.run('keep', 250)).not.toBe(second);
});

test('pieces beyond the limit of those that wait are refused', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => stranger.run('echo', 1)));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  await expect(stranger.run('echo', 2)).resolves.toBe(2);
});

test('the process knows none of our settings', async () => {
  expect(await stranger.run('environment', null)).not.toContain('PATH');
});

test('a process gives way to ours where it is told to', async () => {
  const patient = ownProcess(program, { ...limits, givesWay: true });
  expect(await patient.run('priority', null)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  expect(await stranger.run('priority', null)).toBe(getPriority());
});
