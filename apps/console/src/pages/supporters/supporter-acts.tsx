import {
  type ConsoleOperation,
  closeSupporter,
  deleteBankData,
  disableSignIn,
  enableSignIn,
  holdSupporter,
  offerExport,
  pauseSupporter,
  releaseSupporter,
  resumeSupporter,
  type SupporterDetails,
  sendPasswordReset,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { money } from './supporter-state.ts';
import styles from './supporters.module.css';

/** An act of support with the words of its confirmation. */
interface Act {
  operation: ConsoleOperation;
  /** On the button, and as the dialog's title. */
  title: string;
  action: string;
  effects: string[];
  /** A further field to ask for. */
  field?: 'reason' | 'until';
  /** The sentence afterwards; a function carries out the act and returns it. */
  done: string | (() => Promise<string>);
}

/** Says what happens in any case to money that is with the bank or set aside. */
function onTheWay({ pending: { debits, donations, deposits, refunds, setAsideCents } }: SupporterDetails): string[] {
  const atBank = debits.cents + donations.cents;
  const saved = deposits.cents + setAsideCents;
  return [
    ...(atBank > 0 ? [`${money(atBank)} is already with their bank. It is still taken, and goes to the club.`] : []),
    ...(saved > 0 ? [`${money(saved)} is set aside and goes to their savings account.`] : []),
    ...(refunds.cents > 0 ? [`${money(refunds.cents)} is on its way back to their bank account.`] : []),
  ];
}

/** Says what becomes of money once nothing more is collected. */
function endEffects(supporter: SupporterDetails): string[] {
  const { waitingCents, donationsToCome } = supporter.pending;
  return [
    ...onTheWay(supporter),
    ...(waitingCents > 0 ? [`${money(waitingCents)} of spare change is dropped. They do not owe it.`] : []),
    ...(donationsToCome.cents > 0 ? [`${money(donationsToCome.cents)} of donations is called off.`] : []),
    'The data from their bank is deleted once no payment is with the bank. They are emailed.',
  ];
}

const deletionAct = (supporter: SupporterDetails): Act => ({
  operation: deleteBankData,
  title: 'Delete bank data',
  action: 'Delete',
  effects: [
    'Their consent and the authority to debit end right away. They keep their sign-in, what they gave and their receipts, and can connect a bank again.',
    ...endEffects(supporter),
  ],
  done: async () => {
    const { isDeleted } = await call(deleteBankData, { supporterId: supporter.id });
    if (isDeleted) return 'The data from their bank is deleted.';
    return 'The consent has ended. The daily run deletes the data once nothing is under way at the bank.';
  },
});

const resetAct = ({ email }: SupporterDetails): Act => ({
  operation: sendPasswordReset,
  title: 'Send a password reset',
  action: 'Send',
  effects: [`A link to choose a new password goes to ${email}. It works once, within one hour.`],
  done: 'The reset is on its way.',
});

/** Disables or re-enables an abused sign-in; none with a Firebase project, whose own console does it. */
function signInActs({ isSignInDisabled, email }: SupporterDetails): Act[] {
  if (isSignInDisabled === null) return [];
  if (isSignInDisabled)
    return [
      {
        operation: enableSignIn,
        title: 'Enable the sign-in',
        action: 'Enable',
        field: 'reason',
        effects: [
          `Anyone who knows the password, or reads the emails to ${email}, can sign in again. Make sure that only they can, and send a password reset afterwards.`,
        ],
        done: 'They can sign in again.',
      },
    ];
  return [
    {
      operation: disableSignIn,
      title: 'Disable the sign-in',
      action: 'Disable',
      field: 'reason',
      effects: [
        'They are signed out everywhere right away, and nobody can sign in or reset the password until it is enabled again. They are not emailed.',
        'Debits continue. Stop those as well if somebody else may have changed something.',
      ],
      done: 'The sign-in is disabled.',
    },
  ];
}

function actsFor(supporter: SupporterDetails): Act[] {
  const { record, hold, pending } = supporter;
  const waits = (until: string) =>
    pending.waitingCents > 0 ? [`${money(pending.waitingCents)} waits until ${until}.`] : [];
  return [
    record.isUserPausedRoundUp
      ? {
          operation: resumeSupporter,
          title: 'Resume round-ups',
          action: 'Resume',
          effects: ['Their purchases count again from today on. What was counted before goes with the next debit.'],
          done: 'Round-ups are on again.',
        }
      : {
          operation: pauseSupporter,
          title: 'Pause round-ups',
          action: 'Pause',
          field: 'until',
          effects: [
            'Stops counting their purchases from now. They are emailed, and can resume at any time.',
            ...waits('they resume'),
            ...onTheWay(supporter),
          ],
          done: 'Round-ups are paused.',
        },
    hold
      ? {
          operation: releaseSupporter,
          title: 'Allow debits again',
          action: 'Allow debits',
          field: 'reason',
          effects: ['What waits goes with the next debit run.'],
          done: 'Debits are allowed again.',
        }
      : {
          operation: holdSupporter,
          title: 'Stop debits',
          action: 'Stop debits',
          field: 'reason',
          effects: [
            'Nothing is debited until somebody allows it again. Round-ups still count, and they are not emailed.',
            ...waits('then'),
            ...onTheWay(supporter),
          ],
          done: 'Debits are stopped.',
        },
    ...(supporter.isSignInDisabled ? [] : [resetAct(supporter)]),
    {
      operation: offerExport,
      title: 'Send them their data',
      action: 'Send',
      effects: [
        `An email to ${supporter.email} says how to download everything we hold about them. Only they can, once signed in.`,
      ],
      done: 'The mail is on its way.',
    },
    ...signInActs(supporter),
    ...(supporter.accounts.length > 0 || record.isConsent ? [deletionAct(supporter)] : []),
    {
      operation: closeSupporter,
      title: 'Close the account',
      action: 'Close the account',
      effects: [
        'The account is closed right away and for good. Their sign-in, the authority to debit and the consent end.',
        ...endEffects(supporter),
      ],
      done: 'The account is closed.',
    },
  ];
}

/** Acts that cannot be undone, or that lock somebody out. */
const dangerous: readonly ConsoleOperation[] = [deleteBankData, closeSupporter, disableSignIn];

/** Acts of support, for people who may carry them out. */
export function SupporterActs({ supporter }: { supporter: SupporterDetails }) {
  const mayAct = useMay(pauseSupporter);
  const [opened, setOpened] = useState<Act>();
  const [done, setDone] = useState('');
  if (supporter.closedOn || !mayAct) return null;
  return (
    <Section title="On their request">
      <div className={styles.acts}>
        {actsFor(supporter).map((act) => (
          <Button
            key={act.title}
            look="secondary"
            isDangerous={dangerous.includes(act.operation)}
            onClick={() => {
              setDone('');
              setOpened(act);
            }}
          >
            {act.title}
          </Button>
        ))}
      </div>
      <p role="status" className={styles.done}>
        {done}
      </p>
      {opened && (
        <SupporterAct act={opened} supporterId={supporter.id} onDone={setDone} onClose={() => setOpened(undefined)} />
      )}
    </Section>
  );
}

const fields = {
  reason: { label: 'Reason', type: 'text', maxLength: 200, hint: 'For the audit log and the next person' },
  until: { label: 'Until (optional)', type: 'date', hint: 'Round-ups resume on that day' },
} as const;

interface SupporterActProps {
  act: Act;
  supporterId: string;
  onDone: (words: string) => void;
  onClose: () => void;
}

function SupporterAct({ act, supporterId, onDone, onClose }: SupporterActProps) {
  const { operation, title, action, effects, field, done } = act;
  const carryOut = async (form: FormData): Promise<string> => {
    if (typeof done === 'function') return done();
    const typed = field ? String(form.get(field)) : '';
    await call(operation, { supporterId, ...(field === 'reason' ? { reason: typed } : { until: typed || undefined }) });
    return done;
  };
  return (
    <ActDialog
      title={title}
      action={action}
      isDangerous={dangerous.includes(operation)}
      act={async (form) => onDone(await carryOut(form))}
      onClose={onClose}
    >
      {(problem) => (
        <>
          {effects.map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          {field && <TextField {...fields[field]} name={field} error={problem(field)} required={field === 'reason'} />}
        </>
      )}
    </ActDialog>
  );
}
