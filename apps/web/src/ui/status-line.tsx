import { useSyncExternalStore } from 'react';
import { currentNote, onNoteChange } from './notes.ts';
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
  const online = useSyncExternalStore(onNetworkChange, isOnline);
  const note = useSyncExternalStore(onNoteChange, currentNote);
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
