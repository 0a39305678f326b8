import { followChanges } from '@sparechange/contract/console';
import { useEffect } from 'react';
import { sessionQuery } from '#session/session.ts';
import { queryClient, readAgain } from './query-client.ts';

/**
 * Returns the pause before an ended stream is reopened, 2,000 to 6,000 ms: random, so that browsers do not all return
 * together.
 */
const pauseMs = () => 2_000 + Math.random() * 4_000;

/** Refetching waits until pointer and keys have rested this long, so that no row moves under a hand. */
const restMs = 1_000;
const movements = ['pointermove', 'pointerdown', 'wheel', 'keydown'];

let movedAt = Number.NEGATIVE_INFINITY;
const noteMovement = () => {
  movedAt = performance.now();
};

const changed = new Set<string>();
let rest: ReturnType<typeof setTimeout> | undefined;

/** Refetches the named operations' answers once input rests; changes until then are combined. */
function refetch(names: readonly string[]): void {
  for (const name of names) changed.add(name);
  clearTimeout(rest);
  const leftMs = movedAt + restMs - performance.now();
  if (leftMs > 0) {
    rest = setTimeout(refetch, leftMs, []);
    return;
  }
  void readAgain([...changed].map((name) => ({ name })));
  changed.clear();
}

/** Returns the operations whose answers are kept and followed. */
const keptAndFollowed = (): string[] =>
  queryClient
    .getQueryCache()
    .findAll({ predicate: ({ meta }) => meta?.isFollowed === true })
    .map(({ queryKey: [name] }) => String(name));

/** Returns whether a stream ended in an ordinary way: the page was left, or the network or the server is gone. */
const isLostConnection = ({ name }: Error): boolean => ['AbortError', 'TypeError', 'NetworkError'].includes(name);

/** The server sends something every twenty seconds; one silent for this long is gone, though no connection closed. */
const silentMs = 60_000;

/** Reads the stream until it ends or falls silent, and refetches the operations it names. */
async function follow(isLeft: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  isLeft.addEventListener('abort', end);
  let silence = setTimeout(end, silentMs);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(end, silentMs);
  };
  try {
    await readStream(ending.signal, heard);
  } finally {
    clearTimeout(silence);
    isLeft.removeEventListener('abort', end);
  }
}

async function readStream(signal: AbortSignal, heard: () => void): Promise<void> {
  const headers = { 'x-sparechange-console': '1' };
  const { ok, status, body } = await fetch(`/console/api${followChanges.path}`, { headers, signal });
  if (status === 401) void queryClient.invalidateQueries(sessionQuery);
  if (!ok || !body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader(); // Safari does not iterate streams
  let unread = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    heard();
    const events = `${unread}${part.value}`.split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) refetch(followChanges.output.parse(JSON.parse(data)).changed);
    }
  }
}

/** Follows changes while the console is visible. Whenever the stream breaks, everything is refetched. */
export function useLive(mayFollow: boolean): void {
  useEffect(() => {
    if (!mayFollow) return;
    let inSight = new AbortController();
    const begin = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        await follow(signal).catch((error: Error) => {
          if (!isLostConnection(error)) console.error(error);
        });
        await new Promise((resolve) => setTimeout(resolve, pauseMs()));
        if (!signal.aborted) refetch(keptAndFollowed());
      }
    };
    const look = () => {
      inSight.abort();
      inSight = new AbortController();
      if (!document.hidden) void begin(inSight);
    };
    look();
    document.addEventListener('visibilitychange', look);
    for (const movement of movements) window.addEventListener(movement, noteMovement, { passive: true });
    return () => {
      inSight.abort();
      document.removeEventListener('visibilitychange', look);
      for (const movement of movements) window.removeEventListener(movement, noteMovement);
    };
  }, [mayFollow]);
}
