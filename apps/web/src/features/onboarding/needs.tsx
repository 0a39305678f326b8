import styles from './needs.module.css';

const accounts = [
  'Transactions accounts to track round-ups',
  'Funding account for micro debits Monday, Wednesday and Friday',
];
const needed = ['Internet Banking CRN - Customer Reference Number', "Internet Banking App - they'll send you a code"];

const List = ({ entries }: { entries: string[] }) => (
  <ul className={styles.list}>
    {entries.map((entry) => (
      <li key={entry}>{entry}</li>
    ))}
  </ul>
);

/** Lists the things to set up and what they need. */
export const Needs = () => (
  <div className={styles.needs}>
    <section>
      <p className={styles.lead}>Let's set up your accounts:</p>
      <List entries={accounts} />
    </section>
    <section>
      <p className={styles.lead}>To continue, you will need:</p>
      <List entries={needed} />
    </section>
  </div>
);
