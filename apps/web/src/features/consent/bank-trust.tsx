import { privacyPage } from '#tenant/pages.ts';
import { CheckIcon } from '#ui/icons.tsx';
import styles from './bank-trust.module.css';

/** The government's list of accredited recipients of bank data. */
const registerOfProviders = 'https://www.cdr.gov.au/find-a-provider';
const rulesOfSharing = 'https://www.cdr.gov.au/how-it-works';

interface Line {
  lead: string;
  words: string;
  proof?: { href: string; words: string };
}

const lines: Line[] = [
  { lead: 'Read only.', words: "It can't be used to move money. Debits need your separate OK." },
  { lead: 'Your password stays yours.', words: 'You sign in with your bank. We never see the password or ask for it.' },
  {
    lead: 'Twelve months.',
    words: 'Then it stops, unless you renew it.',
    proof: { href: rulesOfSharing, words: 'The rules for sharing' },
  },
  {
    lead: 'Stop at any time,',
    words: 'here or at your bank. Your bank data is then deleted.',
    proof: { href: privacyPage, words: 'What is deleted when' },
  },
  {
    lead: 'Handled by a provider you can look up.',
    words: 'Bank data comes through Basiq, an accredited provider, and account numbers are encrypted.',
    proof: { href: registerOfProviders, words: 'See Basiq among accredited providers' },
  },
];

/** Answers what a careful person asks before the bank (docs/decisions/consents.md#words-before-the-bank). */
export const BankTrust = () => (
  <section aria-labelledby="before-the-bank">
    <h2 id="before-the-bank" className={styles.title}>
      Before you go to your bank
    </h2>
    <ul className={styles.lines}>
      {lines.map(({ lead, words, proof }) => (
        <li key={lead}>
          <CheckIcon size={20} />
          <p>
            <strong>{lead}</strong> {words} {proof && <a href={proof.href}>{proof.words}</a>}
          </p>
        </li>
      ))}
    </ul>
  </section>
);
