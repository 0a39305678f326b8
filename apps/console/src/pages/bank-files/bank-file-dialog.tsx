import {
  type BankFile,
  downloadBankFile,
  lodgeBankFile,
  type RetrievedBankFileState,
  unlodgeBankFile,
  withdrawBankFile,
} from '@sparechange/contract/console';
import { longDay } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { readAgain } from '#api/query-client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Acts } from '../../ui/cells.tsx';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { instantInWords } from '../../words.ts';
import { changedByFiles, sumInWords } from './bank-file-words.ts';

interface FileProps {
  file: BankFile;
  onClose: () => void;
}

interface BankFileDialogProps extends FileProps {
  state: RetrievedBankFileState;
}

/** A file with its state and the acts it allows. */
export function BankFileDialog({ file, state: { lodging, today }, onClose }: BankFileDialogProps) {
  const [chosen, setChosen] = useState<'lodge' | 'unlodge' | 'withdraw'>();
  if (chosen === 'lodge') return <LodgeFile file={file} onClose={onClose} />;
  if (chosen === 'unlodge') return <UnlodgeFile file={file} onClose={onClose} />;
  if (chosen === 'withdraw') return <WithdrawFile file={file} onClose={onClose} />;
  const { id, processOn, writtenAt, state, clearsOn } = file;
  const isWaiting = state === 'written';
  const isFetched = lodging === 'when_written';
  const waitsToClear = state === 'lodged' && clearsOn !== null && clearsOn > today;
  return (
    <Modal title={id} onClose={onClose}>
      <p>
        {sumInWords(file)}, written {instantInWords(writtenAt)} to be carried out on {longDay(processOn)}.
      </p>
      <p>{isWaiting && isFetched ? fetchedByBank : explained(file)}</p>
      <Acts>
        {((isWaiting && !isFetched) || state === 'lodged') && <Download file={file} />}
        {isWaiting && !isFetched && (
          <Button look="secondary" onClick={() => setChosen('lodge')}>
            Mark as lodged
          </Button>
        )}
        {isWaiting && (
          <Button look="quiet" isDangerous onClick={() => setChosen('withdraw')}>
            Withdraw
          </Button>
        )}
        {lodging === 'by_operator' && waitsToClear && (
          <Button look="quiet" onClick={() => setChosen('unlodge')}>
            Mark as not lodged
          </Button>
        )}
      </Acts>
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}

const fetchedByBank =
  "The bank's software fetches it automatically; it is marked as lodged when payments are next settled. Do not upload it.";

/** Explains a file's state and what follows. */
function explained({ state, lodgedAt, clearsOn, withdrawnAt }: BankFile): string {
  if (withdrawnAt) return `It was withdrawn ${instantInWords(withdrawnAt)}; its orders went into the next file.`;
  if (!lodgedAt || !clearsOn)
    return 'Download it, upload it to the bank, and mark it as lodged once the bank has taken it.';
  if (state === 'cleared')
    return `What had not come back by ${longDay(clearsOn)} has cleared. Its content was deleted.`;
  return `The bank has had it since ${instantInWords(lodgedAt)}. What does not come back clears on ${longDay(clearsOn)}. Uploaded again, it would be carried out twice.`;
}

function Download({ file: { id, state } }: { file: BankFile }) {
  const save = useMutation({
    mutationFn: async () => saveFile(await call(downloadBankFile, { name: id, state })),
    onError: () => readAgain(changedByFiles),
  });
  return (
    <>
      <Button
        look={state === 'written' ? 'primary' : 'secondary'}
        isBusy={save.isPending}
        onClick={() => save.mutate()}
      >
        Download
      </Button>
      {save.isSuccess && (
        <Notice kind="information">Saved. It holds account numbers: delete it after the upload.</Notice>
      )}
      <Failure of={save.error} />
    </>
  );
}

const LodgeFile = ({ file, onClose }: FileProps) => (
  <ActDialog
    title="Mark as lodged?"
    action="Mark as lodged"
    act={() => call(lodgeBankFile, { name: file.id })}
    changes={changedByFiles}
    after={({ isNew, clearsOn }) => (
      <p>
        {isNew ? `${file.id} is lodged.` : `${file.id} had been marked as lodged before; nothing was changed.`} What
        does not come back clears on {longDay(clearsOn)}.
      </p>
    )}
    onClose={onClose}
  >
    {() => (
      <p>
        {file.id} with {sumInWords(file)}: has the bank taken it? From then on what does not come back in time counts as
        paid, and the file cannot be withdrawn. A mark by mistake is taken off by “Mark as not lodged” until the day
        before it clears.
      </p>
    )}
  </ActDialog>
);

const UnlodgeFile = ({ file, onClose }: FileProps) => (
  <ActDialog
    title="Mark as not lodged?"
    action="Mark as not lodged"
    act={(form) =>
      call(unlodgeBankFile, { name: file.id, lodgedAt: file.lodgedAt ?? '', reason: String(form.get('reason')) })
    }
    changes={changedByFiles}
    after={({ isNew }) => (
      <p>
        {isNew
          ? `${file.id} is to be lodged again: upload it and mark it as lodged, or withdraw it.`
          : `${file.id} was not marked as lodged any more; nothing was changed.`}
      </p>
    )}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          {file.id} with {sumInWords(file)} was marked as lodged by mistake: the bank does not have it. It waits to be
          lodged again, and does not clear before.
        </p>
        <p>
          Look at the bank’s website first. If the bank has the file after all and it is uploaded again or withdrawn,{' '}
          {twice(file)}.
        </p>
        <TextField
          label="Reason"
          name="reason"
          maxLength={200}
          required
          hint="It is kept in the audit log."
          error={problem('reason')}
        />
      </>
    )}
  </ActDialog>
);

const twice = ({ kind }: BankFile): string =>
  kind === 'debit' ? 'everybody in it is debited twice' : 'everybody in it is paid twice';

const WithdrawFile = ({ file, onClose }: FileProps) => (
  <ActDialog
    title="Withdraw the file?"
    action="Withdraw"
    isDangerous
    act={() => call(withdrawBankFile, { name: file.id })}
    changes={changedByFiles}
    after={({ isNew }) => (
      <p>
        {isNew
          ? `${file.id} is withdrawn, and its orders wait for the next file.`
          : `${file.id} had been withdrawn before; nothing was changed.`}
      </p>
    )}
    onClose={onClose}
  >
    {() => (
      <>
        <p>
          {file.id} is never lodged, and its content is deleted. Its orders, {sumInWords(file)}, go into the next file
          that is written.
        </p>
        <p>
          Only withdraw what the bank has refused or was never given: if the bank still carries it out, {twice(file)}.
        </p>
      </>
    )}
  </ActDialog>
);
