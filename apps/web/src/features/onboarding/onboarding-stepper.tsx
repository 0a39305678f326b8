import { Stepper } from '#ui/stepper.tsx';
import styles from './onboarding-stepper.module.css';

/** The labels of /launch-consent, until the bank is connected. */
const connecting = [
  'Register Account',
  'Connect To Bank',
  'Select Round-Up Accounts',
  'Select Funding Account',
] as const;

/** Afterwards, where the specification names positions without labels. */
const settingUp = ['Connect To Bank', 'Select Round-Up Accounts', 'Select Funding Account', 'Finish'] as const;

const stillToDo = {
  1: 'Your bank is connected. Two steps to go.',
  2: 'One step to go.',
  4: undefined,
} as const;

export const ConnectingStepper = () => (
  <div className={styles.progress}>
    <Stepper steps={connecting} active={1} continues="after" />
    <p className={styles.toGo}>Three steps to go, about three minutes.</p>
  </div>
);

/** Advances by one step where its first label replaces that of the earlier screens. */
export const SettingUpStepper = ({ active }: { active: 1 | 2 | 4 }) => (
  <div className={active === 1 ? `${styles.progress} ${styles.movedOn}` : styles.progress}>
    <Stepper steps={settingUp} active={active} continues="before" />
    {stillToDo[active] && <p className={styles.toGo}>{stillToDo[active]}</p>}
  </div>
);
