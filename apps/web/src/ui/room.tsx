import type { ReactNode } from 'react';
import styles from './room.module.css';

interface RoomProps {
  /** The longest that is said here. */
  words: string;
  children: ReactNode;
}

/** A place as tall as the longest that is said in it, so that nothing moves when the words come or change. */
export const Room = ({ words, children }: RoomProps) => (
  <div className={styles.room} data-words={words}>
    {children}
  </div>
);
