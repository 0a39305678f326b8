import { directDebitSentence } from '@sparechange/contract';
import { getTenant } from '#tenant/current.ts';
import { directDebitTermsPage } from '#tenant/pages.ts';
import styles from './direct-debit-terms.module.css';

/** The debit days and the terms agreed to by choosing an account. The server keeps these words as evidence. */
export const DirectDebitTerms = () => (
  <p>
    {directDebitSentence.words}{' '}
    <a className={styles.link} href={directDebitTermsPage(getTenant())} target="_blank" rel="noreferrer">
      {directDebitSentence.link}
    </a>
    .
  </p>
);
