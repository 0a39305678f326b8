import { Button } from './button.tsx';
import styles from './new-version-bar.module.css';
import { useIsLineShown } from './status-line.tsx';

/** Offers a new version of the app; nothing is replaced before it is pressed. */
export function NewVersionBar({ use }: { use: (() => void) | undefined }) {
  const isCovered = useIsLineShown();
  return (
    <div role="status">
      {use && !isCovered && (
        <div className={styles.bar}>
          <span>A new version is ready.</span>
          <Button look="secondary" onClick={use}>
            Use it
          </Button>
        </div>
      )}
    </div>
  );
}
