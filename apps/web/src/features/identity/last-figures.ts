import { z } from 'zod';
import { queryClient } from '#api/query-client.ts';
import { readStored, store } from '#api/stored.ts';
import { showLoadedAt } from '#ui/status-line.tsx';

/** Answers that the dashboard shows at first; none of them holds a purchase. */
const figures: readonly unknown[] = ['getUser', 'debitsYTD', 'debitsAllTime', 'retrieveTotalDebits'];

/** Figures are read by the build that kept them alone, whose name this is. */
const build = import.meta.url;

const Kept = z.object({
  build: z.literal(build),
  userId: z.string(),
  answers: z.array(z.object({ key: z.array(z.unknown()), data: z.unknown(), at: z.number() })),
});

/** Keeps a user's figures in this browser whenever they are fetched; answers with how to end it. */
export function keepFigures(userId: string): () => void {
  const cache = queryClient.getQueryCache();
  const isFigure = (key: readonly unknown[]) => figures.includes(key[0]);
  return cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !isFigure(event.query.queryKey)) return;
    if (readStored('userId') !== userId) return;
    const answers = cache
      .getAll()
      .filter(({ queryKey, state }) => isFigure(queryKey) && state.data !== undefined)
      .map(({ queryKey, state }) => ({ key: [...queryKey], data: state.data, at: state.dataUpdatedAt }));
    store('lastFigures', JSON.stringify({ build, userId, answers } satisfies z.infer<typeof Kept>));
  });
}

const moment = new Intl.DateTimeFormat('en-AU', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

/** Shows a user's kept figures again, with the time at which the oldest of them was fetched. */
export function restoreFigures(userId: string): void {
  const kept = Kept.safeParse(parsed(readStored('lastFigures'))).data;
  if (kept?.userId !== userId || kept.answers.length === 0) return;
  for (const { key, data, at } of kept.answers) queryClient.setQueryData(key, data, { updatedAt: at });
  showLoadedAt(moment.format(Math.min(...kept.answers.map(({ at }) => at))));
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
