import type { ReactNode } from 'react';
import styles from './helped-problem.module.css';
import { FormError, FormSpace } from './notice.tsx';

interface HelpedProblemProps {
  words: string;
  /** The text of the children, for which the place is kept free. */
  help: string;
  isShown: boolean;
  /** The next step, with its links. */
  children: ReactNode;
}

/** A failure in red with the way out under it. Nothing moves when they appear. */
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

/** A plain sentence beside a message, with links inside the line. */
export const Help = ({ children }: { children: ReactNode }) => <p className={styles.help}>{children}</p>;
