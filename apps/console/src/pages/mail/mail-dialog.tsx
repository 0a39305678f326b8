import {
  listMails,
  type OutboxMail,
  previewMail,
  retrieveMailState,
  sendMailAgain,
} from '@sparechange/contract/console';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading, Note } from '../../ui/page.tsx';
import styles from './mail.module.css';
import { kindInWords } from './mail-words.ts';

/** A mail's text, with a button to send it again. */
export function MailDialog({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
  const { id, about, status, address } = mail;
  const again = useMutation({
    mutationFn: () => call(sendMailAgain, { mailId: id }),
    onSuccess: async () => {
      await readAgain([listMails, retrieveMailState]);
      onClose();
    },
  });
  const preview = usePreview(id);
  const maySend = useMay(sendMailAgain) && status !== 'waiting' && !preview.data?.whyNone;
  const problem = sentenceOf(again.error);
  return (
    <Modal title={kindInWords(about)} onClose={onClose}>
      {address && <p>To {address}</p>}
      {maySend && (
        <Note>
          {status === 'sent' ? 'A copy with the original facts' : 'This email'} is sent now, unless it is out of date.
        </Note>
      )}
      <Preview preview={preview} />
      {problem && <Notice>{problem}</Notice>}
      <ModalActions
        onCancel={onClose}
        cancel="Close"
        {...(maySend ? { action: 'Send again', onAction: () => again.mutate() } : {})}
        isBusy={again.isPending}
      />
    </Modal>
  );
}

const usePreview = (mailId: string) => useAnswer(previewMail, { mailId });

function Preview({ preview }: { preview: ReturnType<typeof usePreview> }) {
  if (preview.error) return <Failure of={preview.error} otherwise="The mail is not known." again={preview.refetch} />;
  if (!preview.data) return <Loading />;
  const { subject, text, whyNone } = preview.data;
  if (whyNone) return <p>It would not be sent now: {whyNone}.</p>;
  return (
    <div className={styles.text}>
      <p className={styles.subject}>{subject}</p>
      {text}
    </div>
  );
}
