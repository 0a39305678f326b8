import { getTenant } from '#tenant/current.ts';
import { directDebitTermsPage } from '#tenant/pages.ts';

/** When money is taken, and the terms that choosing an account agrees to. */
export const DirectDebitTerms = () => (
  <p>
    Round-up totals are debited every Monday, Wednesday and Friday. By selecting an account you agree to the payment
    provider's{' '}
    <a href={directDebitTermsPage(getTenant())} target="_blank" rel="noreferrer" style={{ whiteSpace: 'nowrap' }}>
      direct-debit terms
    </a>
    .
  </p>
);
