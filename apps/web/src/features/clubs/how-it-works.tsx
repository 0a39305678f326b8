import type { ReactNode } from 'react';
import styles from './how-it-works.module.css';

const Picture = ({ children }: { children: ReactNode }) => (
  <svg className={styles.picture} viewBox="0 0 160 112" fill="none" aria-hidden="true">
    {children}
  </svg>
);

const Receipt = () => (
  <Picture>
    <path
      className={styles.paper}
      d="M52 12h56v84l-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6Z"
      strokeWidth="2.5"
      strokeLinejoin="round"
    />
    <path className={styles.faint} d="M62 28h24M62 40h36" strokeWidth="4" strokeLinecap="round" />
    <text className={styles.amount} x="80" y="70" textAnchor="middle">
      $4.35
    </text>
  </Picture>
);

/** A ring of five dollars with $4.35 drawn faint: 87 % of its length. */
const Ring = () => (
  <Picture>
    <circle className={styles.faint} cx="80" cy="56" r="38" strokeWidth="10" />
    <path className={styles.rest} d="M52.3 30A38 38 0 0 1 80 18" strokeWidth="10" strokeLinecap="round" />
    <text className={styles.amount} x="80" y="62" textAnchor="middle">
      $5.00
    </text>
  </Picture>
);

const Heart = () => (
  <Picture>
    <path
      className={styles.paper}
      d="M80 96C62 84 40 70 40 48a22 22 0 0 1 40-12 22 22 0 0 1 40 12c0 22-22 36-40 48Z"
      strokeWidth="2.5"
      strokeLinejoin="round"
    />
    <text className={styles.amount} x="80" y="64" textAnchor="middle">
      $0.65
    </text>
  </Picture>
);

/** Explains rounding up by one coffee. */
export function HowItWorks({ name }: { name: string }) {
  const steps = [
    { picture: <Receipt />, words: 'You buy a coffee for $4.35.' },
    { picture: <Ring />, words: 'It is rounded up to $5.00.' },
    { picture: <Heart />, words: `The $0.65 goes to ${name}.` },
  ];
  return (
    <section aria-labelledby="how-it-works">
      <h2 id="how-it-works">How it works</h2>
      <ol className={styles.steps}>
        {steps.map(({ picture, words }) => (
          <li key={words}>
            {picture}
            <p>{words}</p>
          </li>
        ))}
      </ol>
      <p className={styles.after}>
        Spare change is debited every Monday, Wednesday and Friday. You choose to round up to $1, $2 or $5, and can set
        a limit for the week.
      </p>
    </section>
  );
}
