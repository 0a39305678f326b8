import {
  type Approval,
  agreeToApproval,
  listApprovals,
  listClubs,
  refuseApproval,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { call } from '#api/call.ts';
import { queryClient } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { ShortId } from '../../ui/cells.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Pairs, Tag } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { momentInWords } from '../../words.ts';
import styles from './approvals.module.css';
import { See } from './see.tsx';

/** Returns true while an approval waits for a second person, or was agreed to and not fully carried out. */
export const isOpen = ({ state }: Approval): boolean => state === 'asked' || state === 'agreed';

/** Reads the requests for an act, including those closed within a day; none until they are loaded. */
export const useApprovalsOf = (act: string, mayRead = true): Approval[] =>
  useAnswer(listApprovals, { act }, { enabled: mayRead }).data?.approvals ?? [];

const states: Record<Approval['state'], string> = {
  asked: 'Waits for a second person',
  agreed: 'Agreed, not done',
  done: 'Done',
  refused: 'Refused',
  lapsed: 'Lapsed',
};

function stateInWords({ isUnderWay, state, askedBy, decidedBy }: Approval): string {
  if (state === 'refused' && decidedBy === askedBy) return 'Withdrawn';
  return isUnderWay ? 'Under way' : states[state];
}

/** Lists one person's requests for another to approve or refuse. */
export function Approvals({ approvals }: { approvals: Approval[] }) {
  const [decision, setDecision] = useState<Decision>();
  return (
    <>
      {approvals.length > 0 && (
        <ul className={styles.approvals}>
          {approvals.map((approval) => (
            <li key={approval.id} className={styles.approval}>
              <div>
                <p className={styles.summary}>{approval.summary}</p>
                <p className={styles.detail}>
                  <Tag tone={approval.state === 'done' ? 'good' : 'plain'}>{stateInWords(approval)}</Tag> Asked for by{' '}
                  {approval.askedBy}, {momentInWords(approval.askedAt)}
                  {approval.decidedBy && `; decided by ${approval.decidedBy}`}
                  {approval.state === 'lapsed' && `; lapsed ${momentInWords(approval.expiresAt)}, as nobody decided`}
                </p>
                {approval.failure && !approval.isUnderWay && (
                  <p className={styles.failure}>
                    {approval.state !== 'refused' && 'It could not be carried out: '}
                    {approval.failure}
                  </p>
                )}
              </div>
              {isOpen(approval) && !approval.isUnderWay && <Acts approval={approval} onChosen={setDecision} />}
            </li>
          ))}
        </ul>
      )}
      {/* Also once its request is over: what it shows is shown once. */}
      {decision && <DecisionDialog {...decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}

interface Decision {
  approval: Approval;
  isAgreed: boolean;
}

function Acts({ approval, onChosen }: { approval: Approval; onChosen: (decision: Decision) => void }) {
  const { summary, isOwn } = approval;
  const refuse = isOwn ? 'Withdraw' : 'Refuse';
  return (
    <div className={styles.acts}>
      <Button
        look="quiet"
        isDangerous={!isOwn}
        aria-label={`${refuse}: ${summary}`}
        onClick={() => onChosen({ approval, isAgreed: false })}
      >
        {refuse}
      </Button>
      {!isOwn && (
        <Button
          look="secondary"
          aria-label={`Agree: ${summary}`}
          onClick={() => onChosen({ approval, isAgreed: true })}
        >
          Agree
        </Button>
      )}
    </div>
  );
}

/** Says what follows an agreement; acts that a club's contact confirms too need more than it. */
const whatFollows = (act: Approval['act']): string =>
  act === 'club_bank_details'
    ? 'Once you have agreed, and the contact that was asked has confirmed by the mailed link, two banking days pass before the club is paid into the new account. Until then it can be stopped.'
    : 'Takes effect when you agree.';

/** Asks for confirmation, and shows a secret only once. */
function DecisionDialog({ approval, isAgreed, onClose }: Decision & { onClose: () => void }) {
  const { id, act: name, summary, lines, askedBy, expiresAt, isOwn, state } = approval;
  const decide = useMutation({
    mutationFn: async () => (isAgreed ? call(agreeToApproval, { id }) : call(refuseApproval, { id })),
    onSuccess: (answer) => {
      if (!('isUnderWay' in answer) || !(answer.isUnderWay || answer.shownOnce)) onClose();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  const agreed = decide.data && 'isUnderWay' in decide.data ? decide.data : undefined;
  const secret = agreed?.shownOnce;
  if (secret)
    return (
      <Modal title="Please keep it now" onClose={onClose}>
        <p>Only you see it, as you agreed.</p>
        <ShownOnce label="The key" secret={secret} />
        <ModalActions onCancel={onClose} cancel="Close" />
      </Modal>
    );
  if (agreed?.isUnderWay)
    return (
      <Modal title={`Under way: ${summary}`} onClose={onClose}>
        <p>You have agreed. It takes longer than usual and continues in the background; Today shows the outcome.</p>
        <ModalActions onCancel={onClose} cancel="Close" />
      </Modal>
    );
  const act = isAgreed ? 'Agree' : isOwn ? 'Withdraw' : 'Refuse';
  return (
    <Modal title={`${act}: ${summary}`} onClose={onClose}>
      {/* Its outcome, such as a secret, is shown nowhere else. */}
      <p data-keeps-open={decide.isPending || undefined}>
        {isAgreed
          ? `Asked by ${askedBy}. ${whatFollows(name)}`
          : `${state === 'agreed' ? 'It is not retried; what was already done stays.' : 'Nothing is done.'} ${isOwn ? 'You' : askedBy} can ask for it again.`}
      </p>
      <Pairs
        className={styles.lines}
        rows={lines.map(({ label, value, clubId }) => [
          label,
          <Fragment key={label}>
            <ShortId id={value} />
            {clubId !== undefined && (
              <>
                {' '}
                <See page={`/clubs/${clubId}`} needs={listClubs}>
                  See the club
                </See>
              </>
            )}
          </Fragment>,
        ])}
      />
      {isAgreed && <p className={styles.detail}>The request lapses on {momentInWords(expiresAt)}.</p>}
      <Failure of={decide.error} />
      <ModalActions
        onCancel={onClose}
        action={act}
        isDangerous={!isAgreed && !isOwn}
        onAction={() => decide.mutate()}
        isBusy={decide.isPending}
      />
    </Modal>
  );
}
