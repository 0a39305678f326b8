import { useSyncExternalStore } from 'react';
import styles from './status-line.module.css';

function onNetworkChange(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Returns true for a page served by the service worker: its data are old, even if the browser says it is online. */
export const isOfflinePage = (): boolean => document.documentElement.hasAttribute('data-offline');

const isOnline = () => navigator.onLine && !isOfflinePage();

/** Returns true while nothing can be loaded for want of a network. */
export const useIsOffline = (): boolean => !useSyncExternalStore(onNetworkChange, isOnline, () => true);

/** The line at the foot of every screen that says when there is no network, and what could not be saved. */
export function StatusLine() {
  const online = !useIsOffline();
  const note = useSyncExternalStore(onNoteChange, currentNote, currentNote);
  const loaded = useSyncExternalStore(onNoteChange, whenLoaded, whenLoaded);
  return (
    <div role="status" className={styles.place}>
      {(!online || note !== '') && (
        <p className={styles.line}>
          {!online && (
            <strong>
              You are offline.{' '}
              {loaded === ''
                ? "Changes can't be saved."
                : `You see what was loaded on ${loaded}. Changes can't be saved.`}
            </strong>
          )}{' '}
          {note}
        </p>
      )}
    </div>
  );
}

/** Returns true while the line covers content at the foot. */
export function useIsLineShown(): boolean {
  const online = !useIsOffline();
  const note = useSyncExternalStore(onNoteChange, currentNote, currentNote);
  return !online || note !== '';
}

/** Time for which the status line shows results that have no place of their own. */
const shownForMs = 12_000;

let note = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(words: string): void {
  note = words;
  for (const listener of listeners) listener();
}

export function showNote(words: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => become(''), shownForMs);
  become(words);
}

export function clearNote(): void {
  clearTimeout(timer);
  if (note !== '') become('');
}

const currentNote = (): string => note;

let loaded = '';
const whenLoaded = (): string => loaded;

/** Shows the age of the figures on an offline screen; '' once there are none. */
export function showLoadedAt(moment: string): void {
  if (moment === loaded) return;
  loaded = moment;
  for (const listener of listeners) listener();
}

function onNoteChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
