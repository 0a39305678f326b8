import { useEffect } from 'react';
import { z } from 'zod';
import { queryClient } from '#api/query-client.ts';
import { forget, readStored, store } from '#api/stored.ts';
import { sydneyDay } from '#tenant/pages.ts';
import { showLoadedAt } from '#ui/status-line.tsx';

/** Answers that the dashboard shows at first; none of them holds a purchase. */
const figures: readonly unknown[] = ['getUser', 'findClub', 'debitsYTD', 'debitsAllTime', 'retrieveTotalDebits'];

/** Figures are read by the build that kept them alone, whose name this is. */
const build = import.meta.url;

const Kept = z.object({
  build: z.literal(build),
  userId: z.string(),
  answers: z.array(z.object({ key: z.array(z.unknown()), data: z.unknown(), at: z.number() })),
});

/** Keeps a user's figures in this browser whenever they are fetched; returns how to end it. */
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
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Older figures say more about the past than about now. */
const keptForMs = 14 * 24 * 3_600_000;

/** When the oldest of the figures was fetched, in words; '' where none were restored. */
let fetchedOn = '';

/** Shows a user's kept figures again, unless they are too old. */
export function restoreFigures(userId: string): void {
  fetchedOn = '';
  const kept = Kept.safeParse(parsed(readStored('lastFigures'))).data;
  if (kept?.userId !== userId || kept.answers.length === 0) return;
  const oldest = Math.min(...kept.answers.map(({ at }) => at));
  if (Date.now() - oldest > keptForMs) {
    forget('lastFigures');
    return;
  }
  for (const { key, data, at } of kept.answers)
    queryClient.setQueryData(key, withoutPastDebit(data), { updatedAt: at });
  fetchedOn = moment.format(oldest);
}

/** Says how old the figures of a screen are, as long as it is there. */
export function useAgeOfFigures(): void {
  useEffect(() => {
    showLoadedAt(fetchedOn);
    return () => showLoadedAt('');
  }, []);
}

const WithNextDebit = z.looseObject({ nextDebit: z.object({ date: z.string() }) });

/** Leaves out of a user's record a next debit whose day has passed. */
function withoutPastDebit(data: unknown): unknown {
  const user = WithNextDebit.safeParse(data).data;
  return user && user.nextDebit.date < sydneyDay.format(new Date()) ? { ...user, nextDebit: null } : data;
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
