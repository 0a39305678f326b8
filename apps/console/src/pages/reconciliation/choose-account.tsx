import { type IsoDate, longDay, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Select } from '../../ui/filters.tsx';
import styles from './import-statement.module.css';

interface Account {
  account: string;
  lines: number;
  firstDay: IsoDate | null;
  lastDay: IsoDate | null;
}

const daysOf = ({ firstDay, lastDay }: Account): string =>
  firstDay && lastDay ? `, ${shortDay(firstDay)} to ${longDay(lastDay)}` : '';

/** Asks which account of a file is ours. */
export const ChooseAccount = ({ of, onChoose }: { of: readonly Account[]; onChoose: (place: number) => void }) => (
  <div className={styles.preview}>
    <p className={styles.lead}>
      The file has {counted(of.length, 'account')}. Only the trust account’s lines are imported.
    </p>
    <Select
      label="Which one is the trust account?"
      all="Please choose"
      value=""
      options={of.map((each, at) => ({
        value: String(at + 1),
        label: `${each.account}: ${counted(each.lines, 'line')}${daysOf(each)}`,
      }))}
      onChange={(place) => onChoose(Number(place))}
    />
  </div>
);
