import { Button } from './button.tsx';
import styles from './new-version-bar.module.css';

/** Offers a new version of the app; nothing is replaced before it is pressed. */
export const NewVersionBar = ({ use }: { use: (() => void) | undefined }) => (
  <div role="status">
    {use && (
      <div className={styles.bar}>
        <span>A new version is ready.</span>
        <Button look="secondary" onClick={use}>
          Use it
        </Button>
      </div>
    )}
  </div>
);
