import type { ReactNode } from 'react';
import styles from './notice.module.css';
import { Room } from './room.tsx';

interface NoticeProps {
  /** Errors are read out at once, information at a pause. */
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

interface FormSpaceProps {
  /** The longest that is said in this place. */
  room: string;
  children: ReactNode;
}

/** The place of what comes of a press: as tall as its words before they are said, so that nothing moves. */
export const FormSpace = ({ room, children }: FormSpaceProps) => (
  <div className={styles.space}>
    <Room words={room}>{children}</Room>
  </div>
);

export interface FormProblemProps {
  words: string;
  isShown: boolean;
  /** The next step or a way out, beside the words. */
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

/** Shows the result of a press, where all is well. */
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
