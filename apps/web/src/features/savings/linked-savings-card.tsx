import { zodResolver } from '@hookform/resolvers/zod';
import { SavingsAccountForm, submitSavingsAccount } from '@sparechange/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { fieldErrors, onceMoreIfUnanswered } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { isGivenUp } from '#api/recent-sign-in.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/text-field.tsx';
import { messages } from '../../messages.ts';
import { LinkedSavings, savingsQuery } from './linked-savings.tsx';

const problemWords = {
  account_refused:
    'The bank did not take our deposit into this account, so nothing more goes there. What is set aside for you waits until you link another account.',
  number_too_long:
    'Banks take payments to account numbers of up to 9 digits, so no deposit can reach this one. Please link another account.',
};

export function LinkedSavingsCard() {
  const { cdrid } = useCaller();
  const linked = useQuery(savingsQuery(cdrid));
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Linked Savings Account">
      <LinkedSavings linked={linked} none="no account linked" />
      {linked.data?.problem && <Notice>{problemWords[linked.data.problem]}</Notice>}
      <Button look="secondary" onClick={() => setOpen(true)}>
        Change Account
      </Button>
      {isOpen && <SavingsAccountModal onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** The fields by their paths in the call. */
const fieldsOfCall = {
  'values.accountName': 'accountName',
  'values.bsb': 'bsb',
  'values.accountNumber': 'accountNumber',
} as const;

const savingHelp = 'Your savings account was not saved.';

function SavingsAccountModal({ onClose }: { onClose: () => void }) {
  const { cdrid } = useCaller();
  const client = useQueryClient();
  const { register, handleSubmit, setError, formState } = useForm<SavingsAccountForm>({
    resolver: zodResolver(SavingsAccountForm),
    mode: 'onTouched',
    defaultValues: { accountName: '', bsb: '', accountNumber: '' },
  });
  const save = useMutation({
    mutationFn: (values: SavingsAccountForm) => call(submitSavingsAccount, { cdrid, values }),
    retry: onceMoreIfUnanswered, // the same account again changes nothing
    onSuccess: async () => {
      await client.invalidateQueries(); // "the page reloads": everything on it is refetched
      onClose();
    },
    onError: (error) => {
      for (const [field, message] of fieldErrors(error, fieldsOfCall)) setError(field, { message });
    },
  });
  const submit = handleSubmit((values) => save.isPending || save.mutate(values));
  const { errors } = formState;

  return (
    <Modal title="Savings Account" onClose={onClose}>
      <p>Link a savings account for 50% of round-ups deposited monthly</p>
      <form noValidate autoComplete="off" onSubmit={(event) => void submit(event)}>
        <TextField label="Account Name" error={errors.accountName?.message} {...register('accountName')} />
        <TextField label="BSB" inputMode="numeric" error={errors.bsb?.message} {...register('bsb')} />
        <TextField
          label="Account Number"
          inputMode="numeric"
          error={errors.accountNumber?.message}
          {...register('accountNumber')}
        />
        <ModalActions
          problem={{
            words: messages.registerFailed,
            help: savingHelp,
            isShown: save.isError && !isGivenUp(save.error),
          }}
          onCancel={onClose}
          action="Submit"
          isBusy={save.isPending}
        />
      </form>
    </Modal>
  );
}
