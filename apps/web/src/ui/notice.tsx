import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface NoticeProps {
  /** Screen readers read out errors immediately, information at a pause. */
  kind?: 'error' | 'information';
  children: ReactNode;
}

export function Notice({ kind = 'error', children }: NoticeProps) {
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={`${styles.notice} ${styles[kind]}`}>
      {children}
    </div>
  );
}

/** Stands out in its place, for what stops round-ups or debits until somebody acts. */
export const Warning = ({ children }: { children: ReactNode }) => <p className={styles.warning}>{children}</p>;

interface FormSpaceProps {
  /** The longest text for this place. */
  room: string;
  children: ReactNode;
}

/** The place for a press's result: as tall as its longest text from the start, so that nothing moves. */
export const FormSpace = ({ room, children }: FormSpaceProps) => (
  <div className={styles.space}>
    <Room words={room}>{children}</Room>
  </div>
);

export interface FormProblemProps {
  words: string;
  isShown: boolean;
  /** The next step or a way out, after the words. */
  help?: string;
  /** The longest words for this place, if longer than these. */
  room?: string;
  /** Further words in this place. */
  children?: ReactNode;
}

/** Shows a form's or control's problem in its own place. */
export const FormProblem = ({
  words,
  help,
  isShown,
  room = help ? `${words} ${help}` : words,
  children,
}: FormProblemProps) => (
  <FormSpace room={room}>
    {isShown && (
      <FormError>
        <span>{words}</span> {help && <span className={styles.help}>{help}</span>}
      </FormError>
    )}
    {children}
  </FormSpace>
);

/** Shows the result of a successful press. */
export const FormNote = ({ children }: { children: ReactNode }) => (
  <p role="status" className={styles.formNote}>
    {children}
  </p>
);

/** Shows a form's or control's error beside it in red. */
export const FormError = ({ children }: { children: ReactNode }) => (
  <p role="alert" className={styles.formError}>
    {children}
  </p>
);

interface RoomProps {
  /** The longest text for this place. */
  words: string;
  children: ReactNode;
}

/** A place as tall as its longest text, so that nothing moves when words appear or change. */
export const Room = ({ words, children }: RoomProps) => (
  <div className={styles.room} data-words={words}>
    {children}
  </div>
);

interface HelpedProblemProps {
  words: string;
  /** The children's text, to reserve room for. */
  help: string;
  isShown: boolean;
  /** The next step, with its links. */
  children: ReactNode;
}

/** Shows a failure and its remedy without moving anything. */
export const HelpedProblem = ({ words, help, isShown, children }: HelpedProblemProps) => (
  <FormSpace room={`${words}\n${help}`}>
    {isShown && (
      <div>
        <FormError>{words}</FormError>
        <Help>{children}</Help>
      </div>
    )}
  </FormSpace>
);

/** A plain sentence beside a message, which may hold links. */
export const Help = ({ children }: { children: ReactNode }) => <p className={styles.sentence}>{children}</p>;
