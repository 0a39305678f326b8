import { setBalanceFloor } from '@sparechange/contract';
import type { BalanceFloor } from '@sparechange/domain';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { messages } from '#messages.ts';
import { Choice } from '#ui/choice.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { Small } from '#ui/small.tsx';
import styles from './next-debit-modal.module.css';
import { useNextDebitChange } from './use-next-debit-change.ts';

const floors = [
  { value: 0, label: 'Off' },
  { value: 50_00, label: '$50' },
  { value: 100_00, label: '$100' },
  { value: 200_00, label: '$200' },
] as const;

const whatItDoes =
  'We look just before. A debit that waits goes with the next one; what has waited three times is dropped, and you do not owe it.';

/** Below which balance a debit waits. */
export function LowBalanceSetting({ floor }: { floor: BalanceFloor }) {
  const { cdrid } = useCaller();
  const save = useNextDebitChange((balanceFloorCents: BalanceFloor) =>
    call(setBalanceFloor, { cdrid, balanceFloorCents }),
  );
  const chosen = save.isPending ? save.variables : floor;
  return (
    <div className={styles.guard}>
      <Choice
        legend="Wait while my account has less than..."
        options={floors}
        value={chosen}
        onChange={(value) => save.mutate(value)}
      />
      <FormProblem words={messages.somethingWrong} isShown={save.isError} room={whatItDoes}>
        {!save.isError && <Small>{chosen === 0 ? 'Debits are taken whatever your balance is.' : whatItDoes}</Small>}
      </FormProblem>
    </div>
  );
}
