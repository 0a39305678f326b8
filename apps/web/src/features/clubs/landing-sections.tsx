import type { ClubPage } from '@sparechange/contract';
import { getStart } from '#tenant/current.ts';
import { directDebitTermsPage, privacyPage } from '#tenant/pages.ts';
import { CheckIcon, CloseIcon } from '#ui/icons.tsx';
import { dollars, Goal, people } from './goal.tsx';
import styles from './landing-sections.module.css';

/** The amount raised and the number of supporters, if large enough to reveal nobody. */
export const Figures = ({ figures }: Pick<ClubPage, 'figures'>) =>
  figures && (
    <section aria-label="Raised together" className={styles.raised}>
      <dl className={styles.figures}>
        <div>
          <dt>Raised so far</dt>
          <dd>{dollars(figures.raisedDollars)}</dd>
        </div>
        <div>
          <dt>Supporters</dt>
          <dd>{people(figures.supporters)}</dd>
        </div>
      </dl>
      <Goal figures={figures} />
    </section>
  );

const read = [
  'Purchases on the accounts you choose: date, amount and description',
  'The names and numbers of your accounts, so that you can choose',
  'A balance just before a debit, which is not kept',
];
const neverRead = [
  'Your bank password',
  'Purchases on accounts you do not choose',
  'Anything for advertising or for sale',
];

/** Lists the data read from the bank, and the data never read. */
export const BankData = () => (
  <section aria-labelledby="bank-data" className={styles.bankData}>
    <h2 id="bank-data">What we can see, and what we can’t</h2>
    <div>
      <h3>Read</h3>
      <ul>
        {read.map((words) => (
          <li key={words}>
            <CheckIcon size={20} />
            {words}
          </li>
        ))}
      </ul>
    </div>
    <div className={styles.never}>
      <h3>Never</h3>
      <ul>
        {neverRead.map((words) => (
          <li key={words}>
            <CloseIcon size={20} />
            {words}
          </li>
        ))}
      </ul>
    </div>
  </section>
);

/** Writes an ABN as the register does, in one piece: 51 824 753 556. */
const abnWords = (abn: string): string =>
  `ABN ${abn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')}`.replaceAll(' ', '\u00a0');

const withAbn = (name: string, abn: string | null): string => (abn ? `${name}, ${abnWords(abn)}` : name);

/** Names the receiver of the money, the operator of the product and the bank data provider. */
export function Backers({ name, abn }: Pick<ClubPage, 'name' | 'abn'>) {
  const { settings, landings } = getStart();
  const provider = landings?.provider;
  return (
    <section aria-labelledby="backers" className={styles.backers}>
      <h2 id="backers">Who runs this</h2>
      <dl>
        <dt>Your gifts go to</dt>
        <dd>{withAbn(name, abn)}</dd>
        {provider && provider.name !== name && (
          <>
            <dt>Round-ups are run by</dt>
            <dd>{withAbn(provider.name, provider.abn)}</dd>
          </>
        )}
        <dt>Bank data comes through</dt>
        <dd>
          Basiq, under the Consumer Data Right. <a href={privacyPage}>How it is kept</a>
        </dd>
        <dt>Debits are covered by</dt>
        <dd>
          <a href={directDebitTermsPage(settings)}>The direct debit agreement</a>
        </dd>
      </dl>
    </section>
  );
}
