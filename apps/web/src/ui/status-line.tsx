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

const isOnline = () => navigator.onLine;

/** The line at the foot of every screen that says when there is no network, and what could not be saved. */
export function StatusLine() {
  const online = useSyncExternalStore(onNetworkChange, isOnline, () => true);
  const note = useSyncExternalStore(onNoteChange, currentNote, currentNote);
  return (
    <div role="status" className={styles.place}>
      {(!online || note !== '') && (
        <p className={styles.line}>
          {!online && <strong>You are offline. You see what was last loaded, and nothing can be changed.</strong>}{' '}
          {note}
        </p>
      )}
    </div>
  );
}

/** Time the status line shows results without their own place. */
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

function onNoteChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
