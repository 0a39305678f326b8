import { sydneyDay } from '@sparechange/domain';
import { hashKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isObject } from '#api/api-error.ts';
import { queryClient } from '#api/query-client.ts';
import { forget, readStored, store } from '#api/stored.ts';
import { isOfflinePage, showLoadedAt } from '#ui/status-line.tsx';
import { momentInWords } from '#ui/sydney-times.ts';

/** Answers that the dashboard shows first; none of them contains a purchase. */
const figures: readonly unknown[] = ['getUser', 'findClub', 'debitsYTD', 'debitsAllTime', 'retrieveTotalDebits'];

/** Names the build: figures are read only by the build that kept them. */
const build = import.meta.url;

interface Answer {
  key: unknown[];
  data: unknown;
  at: number;
}

interface Kept {
  build: string;
  userId: string;
  answers: Answer[];
}

const isAnswer = (value: unknown): value is Answer =>
  isObject(value) && Array.isArray(value.key) && typeof value.at === 'number';

/** By hand, because the schema library would be a fifth more of a dashboard's code. */
const isKept = (value: unknown): value is Kept =>
  isObject(value) &&
  value.build === build &&
  typeof value.userId === 'string' &&
  Array.isArray(value.answers) &&
  value.answers.every(isAnswer);

/** Keeps a user's figures in this browser whenever they are fetched; returns a function to stop. */
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
    const isAnswered = ({ key }: Answer) => answers.some((answer) => hashKey(answer.key) === hashKey(key));
    answers.push(...readAnswers(userId).filter((answer) => !isAnswered(answer))); // a visit left early takes none away
    store('lastFigures', JSON.stringify({ build, userId, answers } satisfies Kept));
  });
}

/** Older figures say more about the past than about now. */
const keptForMs = 14 * 24 * 3_600_000;

/** Reads a user's kept figures that are not too old. */
function readAnswers(userId: string): Answer[] {
  const kept = parsed(readStored('lastFigures'));
  return isKept(kept) && kept.userId === userId ? kept.answers.filter(({ at }) => Date.now() - at <= keptForMs) : [];
}

/** Shows a user's kept figures again, unless too old. */
export function restoreFigures(userId: string): void {
  const answers = readAnswers(userId);
  if (answers.length === 0) forget('lastFigures');
  for (const { key, data, at } of answers) queryClient.setQueryData(key, withoutPastDebit(data), { updatedAt: at });
}

/** Says how old the oldest figure on the screen is, while an offline page shows any. */
export function useAgeOfFigures(): void {
  useEffect(() => {
    if (!isOfflinePage()) return;
    const cache = queryClient.getQueryCache();
    const tell = () => {
      const shown = cache
        .findAll({ type: 'active' })
        .filter(({ queryKey, state }) => figures.includes(queryKey[0]) && state.data !== undefined)
        .map(({ state }) => state.dataUpdatedAt);
      showLoadedAt(shown.length > 0 ? momentInWords(new Date(Math.min(...shown))) : '');
    };
    tell();
    const stop = cache.subscribe(({ type }) => type.startsWith('observer') && tell());
    return () => {
      stop();
      showLoadedAt('');
    };
  }, []);
}

/** Removes a past next debit from a user's record. */
function withoutPastDebit(data: unknown): unknown {
  if (!isObject(data) || !isObject(data.nextDebit)) return data;
  const { date } = data.nextDebit;
  return typeof date === 'string' && date < sydneyDay(new Date()) ? { ...data, nextDebit: null } : data;
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
