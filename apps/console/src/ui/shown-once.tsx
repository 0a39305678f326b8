import type { Asked } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useState } from 'react';
import { instantInWords } from '../words.ts';
import styles from './shown-once.module.css';

/** A secret that nobody sees again, with a way to copy it. */
export function ShownOnce({ label, secret }: { label: string; secret: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <div className={styles.shown}>
      <p>Copy it now: it is shown this once.</p>
      <output className={styles.secret} aria-label={label}>
        {secret}
      </output>
      <Button look="secondary" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}

/** Says that an act waits for a second person. */
export const Waits = ({ asked: { expiresAt } }: { asked: Asked }) => (
  <Notice kind="information">
    Nothing has changed yet: another person has to agree, under Today, until {instantInWords(expiresAt)}.
  </Notice>
);
