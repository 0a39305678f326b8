import { downloadDossier, type PaymentTrace } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useMutation } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useMayCall } from '#session/use-may.ts';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './payments.module.css';

/** Saves the signed dossier of a debit, for a dispute about it. */
export function SaveDossier({ trace: { reference, kind } }: { trace: Pick<PaymentTrace, 'reference' | 'kind'> }) {
  const may = useMayCall();
  const save = useMutation({ mutationFn: async () => saveFile(await call(downloadDossier, { reference })) });
  if ((kind !== 'debit' && kind !== 'donation') || !may(downloadDossier)) return null;
  return (
    <>
      <Button look="secondary" disabled={save.isPending} onClick={() => save.mutate()}>
        Save dossier
      </Button>
      {(save.isPending || save.isSuccess) && (
        <p role="status" className={styles.saving}>
          {save.isPending ? 'The dossier is being made.' : 'Saved'}
        </p>
      )}
      <Failure of={save.error} />
    </>
  );
}
