import { followChanges, followed } from '@sparechange/contract/console';
import { useEffect } from 'react';
import { sessionQuery } from '#session/session.ts';
import { queryClient } from './query-client.ts';

/** A stream that ends, as with a server that is replaced, is opened again after some seconds; not by everybody at once. */
const pauseMs = () => 2_000 + Math.random() * 4_000;

const refetch = (names: readonly string[]) =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.includes(String(queryKey[0])) });

/** Reads the stream to its end, and fetches again what it names. */
async function follow(signal: AbortSignal): Promise<void> {
  const headers = { 'x-sparechange-console': '1' };
  const { ok, status, body } = await fetch(`/console/api${followChanges.path}`, { headers, signal });
  if (status === 401) void queryClient.invalidateQueries(sessionQuery);
  if (!ok || !body) return;
  let unread = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = `${unread}${text}`.split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) void refetch(followChanges.output.parse(JSON.parse(data)).changed);
    }
  }
}

/** Follows what changes while the page is in sight. Whenever the stream breaks, everything is asked for again. */
export function useLive(): void {
  useEffect(() => {
    let inSight = new AbortController();
    const begin = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        await follow(signal).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, pauseMs()));
        if (!signal.aborted) void refetch(followed);
      }
    };
    const look = () => {
      inSight.abort();
      inSight = new AbortController();
      if (!document.hidden) void begin(inSight);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      inSight.abort();
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
