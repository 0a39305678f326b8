import { Button } from '@sparechange/web/ui/button.tsx';
import { useState } from 'react';
import styles from './shown-once.module.css';

/** A secret shown only once, with a copy button. */
export function ShownOnce({ label, secret }: { label: string; secret: string }) {
  const [copyState, setCopyState] = useState<'shown' | 'copied' | 'failed'>('shown');
  const copySecret = async () => {
    await navigator.clipboard.writeText(secret);
    setCopyState('copied');
  };
  return (
    <div className={styles.shown} data-keeps-open>
      <p>Copy it now: it is shown this once.</p>
      <output className={styles.secret} aria-label={label}>
        {secret}
      </output>
      <Button look="secondary" onClick={() => void copySecret().catch(() => setCopyState('failed'))}>
        {copyState === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      {copyState === 'failed' && <p role="status">It could not be copied. Please select it and copy it by hand.</p>}
    </div>
  );
}
