import {
  approveHolderReview,
  type HolderReview,
  listHolderReviews,
  lookUpAccountHolder,
  refuseHolderReview,
  retrieveToday,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Acts, OpenRow, Quiet } from '../../ui/cells.tsx';
import { instantColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { PageFrame, Pairs } from '../../ui/page.tsx';
import styles from './supporters.module.css';

const accountOf = ({ accountName, maskedNumber }: HolderReview): string => `${accountName} ${maskedNumber}`;

const columnsFor = (open: ((review: HolderReview) => void) | undefined): Column<HolderReview>[] => [
  {
    title: 'Supporter',
    text: ({ name, email }) => `${name} <${email}>`,
    opens: true,
    show: (review) => (
      <>
        {open ? (
          <OpenRow onClick={() => open(review)}>{review.name}</OpenRow>
        ) : (
          <Link to={`/supporters/${review.supporterId}`} className={styles.name}>
            {review.name}
          </Link>
        )}
        <Quiet>{review.email}</Quiet>
      </>
    ),
  },
  {
    title: 'Account',
    text: accountOf,
    show: ({ accountName, maskedNumber }) => (
      <>
        {accountName}
        <Quiet>{maskedNumber}</Quiet>
      </>
    ),
  },
  instantColumn('Waiting since', ({ askedAt }) => askedAt, { isSecondary: true }),
];

/** Accounts that supporters chose to be debited from and that a bank lists under another name. */
export function NamesToReview() {
  const [opened, setOpened] = useState<HolderReview>();
  const mayDecide = useMay(approveHolderReview);
  return (
    <PageFrame title="Names to review" lead={<Link to="/supporters">All supporters</Link>}>
      <p>
        The bank names somebody else as the holder of these accounts. Nothing is debited from one unless it is approved.
      </p>
      <List
        name="Names to review"
        operation={listHolderReviews}
        columns={columnsFor(mayDecide ? setOpened : undefined)}
        empty="No account waits for a decision."
      />
      {opened && <ReviewDialog review={opened} onClose={() => setOpened(undefined)} />}
    </PageFrame>
  );
}

function ReviewDialog({ review, onClose }: { review: HolderReview; onClose: () => void }) {
  const [chosen, setChosen] = useState<keyof typeof decisions>();
  if (chosen) return <Decide review={review} decision={decisions[chosen]} onClose={onClose} />;
  return (
    <Modal title={review.name} onClose={onClose}>
      <Pairs
        className={styles.facts}
        rows={[
          ['Account', accountOf(review)],
          ['Held by', <Holder key="holder" review={review} />],
          [
            'Supporter',
            <Link key="supporter" to={`/supporters/${review.supporterId}`}>
              {review.email}
            </Link>,
          ],
        ]}
      />
      <Acts>
        <Button look="secondary" onClick={() => setChosen('approve')}>
          Approve
        </Button>
        <Button look="quiet" onClick={() => setChosen('refuse')}>
          Refuse
        </Button>
      </Acts>
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}

/** The account holder's name as the bank gives it now; each look-up is in the audit log. */
function Holder({ review: { supporterId, id: accountId } }: { review: HolderReview }) {
  const { data, error } = useAnswer(
    lookUpAccountHolder,
    { supporterId, accountId },
    {
      refetchOnWindowFocus: false,
      retry: false,
      gcTime: 0, // the name of another time is not shown as that of now
    },
  );
  if (error) return sentenceOf(error);
  if (!data) return 'Asking the bank...';
  return data.holder ? <strong>{data.holder}</strong> : 'The bank names nobody now.';
}

const decisions = {
  approve: {
    operation: approveHolderReview,
    title: 'Approve the account?',
    action: 'Approve',
    effect: 'They are mailed that they can choose it. It is debited once they have.',
  },
  refuse: {
    operation: refuseHolderReview,
    title: 'Refuse the account?',
    action: 'Refuse',
    effect: 'They are mailed to choose an account in their own name. This one can never be chosen.',
  },
} as const;

interface DecideProps {
  review: HolderReview;
  decision: (typeof decisions)[keyof typeof decisions];
  onClose: () => void;
}

const Decide = ({ review, decision: { operation, title, action, effect }, onClose }: DecideProps) => (
  <ActDialog
    title={title}
    action={action}
    act={() => call(operation, { supporterId: review.supporterId, accountId: review.id })}
    changes={[listHolderReviews, retrieveToday]}
    onClose={onClose}
  >
    {() => (
      <>
        <p>
          {accountOf(review)}, for {review.name}.
        </p>
        <p>{effect}</p>
      </>
    )}
  </ActDialog>
);
