import { zodResolver } from '@hookform/resolvers/zod';
import { DonationForm, donateNow, type TypedDonation } from '@sparechange/contract';
import { cents, formatCents } from '@sparechange/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { fieldErrors, isUnanswered } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { ShareClub } from '#features/clubs/share-club.tsx';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { Button } from '#ui/button.tsx';
import { CheckIcon } from '#ui/icons.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { Help } from '#ui/notice.tsx';
import { showNote } from '#ui/status-line.tsx';
import { TextField } from '#ui/text-field.tsx';
import { messages } from '../../messages.ts';
import { type GiftSource, SourceLink, SourceWords, useGiftSource } from './gift-source.tsx';
import styles from './one-off-donation-modal.module.css';

export default function OneOffDonationModal({ onClose }: { onClose: () => void }) {
  const { cdrid, userId } = useCaller();
  const client = useQueryClient();
  const [requestId] = useState(() => crypto.randomUUID()); // one gift, however often Submit is pressed
  const [abandon] = useState(() => new AbortController());
  const { register, handleSubmit, setError, setValue, watch, formState } = useForm<
    TypedDonation,
    unknown,
    DonationForm
  >({
    resolver: zodResolver(DonationForm), // from the contract, messages included
    defaultValues: { amount: '0' },
  });
  const lookAgain = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(cdrid) || queryKey.includes(userId) });
  const donate = useMutation({
    mutationFn: ({ amount }: DonationForm) =>
      call(donateNow, { values: { amount, cdrid } }, { requestId, signal: abandon.signal }),
    onError: (error) => {
      for (const [field, message] of fieldErrors(error, { 'values.amount': 'amount' })) setError(field, { message });
    },
    onSettled: () => void lookAgain(), // it may have been made even without an answer
  });

  const source = useGiftSource();
  const isReady = source.state === 'known';

  if (donate.isSuccess) return <ThankYou onDone={onClose} />;

  /** Stops a gift where possible; the server may have it. */
  function close() {
    if (donate.isPending || isUnanswered(donate.error)) {
      abandon.abort();
      showNote('You left before your donation was confirmed. Look at Donated This Year before you give it again.');
      void lookAgain();
    }
    onClose();
  }

  const submit = handleSubmit((values) => !isReady || donate.isPending || donate.mutate(values));
  return (
    <Modal title="One-Off Donation" onClose={close}>
      <p>You can donate up to $250 in a one-off Donation</p>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <fieldset className={styles.suggested} disabled={source.state === 'missing'}>
          <legend className="visually-hidden">Suggested amounts</legend>
          {suggested.map((amount) => (
            <Button
              key={amount}
              look="secondary"
              aria-pressed={dollarsOf(watch('amount')) === amount}
              onClick={() => setValue('amount', String(amount), { shouldValidate: formState.isSubmitted })}
            >
              {`$${amount}`}
            </Button>
          ))}
        </fieldset>
        <TextField
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          leading={<span className={styles.dollar}>$</span>}
          error={formState.errors.amount?.message}
          onFocus={(event) => event.target.select()}
          {...register('amount')}
        />
        <WhereItGoes source={source} />
        <SourceLink source={source} />
        <ModalActions
          actionDetail={amountOf(watch('amount'))}
          problem={{ words: messages.donationFailed, isShown: donate.isError }}
          onCancel={close}
          action="Submit"
          isBusy={donate.isPending}
          isUnavailable={!isReady}
        />
      </form>
    </Modal>
  );
}

const suggested = [10, 20, 50, 100] as const;

const dollarsOf = (typed: string): number | undefined => DonationForm.safeParse({ amount: typed }).data?.amount;

/** Returns the amount to debit; undefined for a refused one. */
function amountOf(typed: string): string | undefined {
  const dollars = dollarsOf(typed);
  return dollars === undefined ? undefined : formatCents(cents(Math.round(dollars * 100)));
}

function useSupportedClub() {
  const { userId } = useCaller();
  const clubId = useQuery(userQuery(userId)).data?.supportingClubId;
  return useQuery({ ...clubQuery(clubId ?? ''), enabled: clubId !== undefined }).data;
}

/** Names the club and the account that is debited. */
function WhereItGoes({ source }: { source: GiftSource }) {
  const club = useSupportedClub();
  return (
    <dl className={styles.facts}>
      <dt>To</dt>
      <dd>{club?.name}</dd>
      <dt>From</dt>
      <dd>
        <SourceWords source={source} />
      </dd>
    </dl>
  );
}

const closesAfterMs = 4000;

const sign = (
  <span className={styles.coin}>
    <CheckIcon size={40} />
  </span>
);

/** Closes automatically, but not while pointer or focus is on the sharing buttons, nor once one was pressed. */
function ThankYou({ onDone }: { onDone: () => void }) {
  const club = useSupportedClub();
  const [isSharing, setSharing] = useState(false);
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isSharing || isPointedAt || isFocused;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(onDone, closesAfterMs);
    return () => clearTimeout(timer);
  }, [onDone, isHeld]);

  return (
    <Modal title="Thank You!" sign={sign} onClose={onDone}>
      <p role="status">
        Your donation request has been received and may take <span className={styles.days}>2-3 days</span> to process
      </p>
      <Help>You can undo it for ten minutes, under Donate Now.</Help>
      {club && (
        <fieldset
          onClickCapture={() => setSharing(true)}
          onPointerEnter={() => setPointedAt(true)}
          onPointerLeave={() => setPointedAt(false)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        >
          <ShareClub name={club.name} slug={club.slug} />
        </fieldset>
      )}
    </Modal>
  );
}
