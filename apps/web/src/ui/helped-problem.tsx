import type { ReactNode } from 'react';
import styles from './helped-problem.module.css';
import { FormError, FormSpace } from './notice.tsx';

interface HelpedProblemProps {
  words: string;
  /** The children's text, for which room is kept. */
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
export const Help = ({ children }: { children: ReactNode }) => <p className={styles.help}>{children}</p>;
