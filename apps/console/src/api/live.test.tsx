// @vitest-environment jsdom
import { isFollowed, listClubs, retrieveTenant } from '@sparechange/contract/console';
import type { Query } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLive } from './live.ts';
import { queryClient } from './query-client.ts';

/** Opened streams, each with its abort signal and a function that sends text. */
let opened: { signal: AbortSignal; say: (text: string) => void }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  const fetch = async (_url: string, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        opened.push({ signal, say: (text) => stream.enqueue(new TextEncoder().encode(text)) });
        signal.addEventListener('abort', () => stream.error(signal.reason));
      },
    });
    return new Response(body);
  };
  vi.stubGlobal('fetch', fetch);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Page() {
  useLive(true);
  return null;
}

test('a stream that falls silent is given up, everything is read again, and another one is opened', async () => {
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries');
  render(<Page />);
  await vi.advanceTimersByTimeAsync(50_000);
  opened[0]?.say(':\n\n');
  await vi.advanceTimersByTimeAsync(50_000);
  expect(opened).toHaveLength(1);
  expect(readAgain).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(opened[0]?.signal.aborted).toBe(true);
  expect(opened).toHaveLength(2);
  expect(readAgain).toHaveBeenCalledOnce();
});

test('answers that are followed are read again once a stream breaks, and a form is left alone', async () => {
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockClear();
  queryClient.clear();
  const cache = queryClient.getQueryCache();
  for (const operation of [listClubs, retrieveTenant])
    cache.build(queryClient, { queryKey: [operation.name], meta: { isFollowed: isFollowed(operation) } });
  render(<Page />);
  await vi.advanceTimersByTimeAsync(70_000);
  const { predicate } = readAgain.mock.calls[0]?.[0] ?? {};
  expect(cache.getAll().map((query) => predicate?.(query))).toEqual([true, false]);
});

test('a page that is left ends its stream', async () => {
  const { unmount } = render(<Page />);
  await vi.advanceTimersByTimeAsync(1_000);
  unmount();
  expect(opened[0]?.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(70_000);
  expect(opened).toHaveLength(1);
});

test('changed answers are refetched together once pointer and keys rest', async () => {
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries').mockClear();
  render(<Page />);
  await vi.advanceTimersByTimeAsync(1_000);
  const name = (operation: string) => opened.at(-1)?.say(`data: {"changed":["${operation}"]}\n\n`);
  for (const operation of ['listClubs', 'listPayments']) {
    window.dispatchEvent(new Event('pointermove'));
    name(operation);
    await vi.advanceTimersByTimeAsync(600);
  }
  expect(readAgain).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(readAgain).toHaveBeenCalledOnce();
  const { predicate } = readAgain.mock.calls[0]?.[0] ?? {};
  const isRead = (operation: string) => predicate?.({ queryKey: [operation, 'answer', {}] } as unknown as Query);
  expect(['listClubs', 'listPayments', 'listSupporters'].map(isRead)).toEqual([true, true, false]);
});
