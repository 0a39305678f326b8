import { Button } from './button.tsx';
import styles from './new-version-bar.module.css';
import { useIsLineShown } from './status-line.tsx';

/** Offers a new version of the app, where there is one; nothing is replaced before it is accepted. */
export function NewVersionBar({ onUse }: { onUse: (() => void) | undefined }) {
  const isCovered = useIsLineShown();
  return (
    <div role="status">
      {onUse && !isCovered && (
        <div className={styles.bar}>
          <span>A new version is ready.</span>
          <Button look="secondary" onClick={onUse}>
            Use it
          </Button>
        </div>
      )}
    </div>
  );
}
