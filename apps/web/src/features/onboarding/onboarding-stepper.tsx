import { Stepper } from '#ui/stepper.tsx';

/** Until the bank is connected: the labels of /launch-consent. */
const connecting = [
  'Register Account',
  'Connect To Bank',
  'Select Round-Up Accounts',
  'Select Funding Account',
] as const;

/** Afterwards, where the specification names positions without labels. */
const settingUp = ['Connect To Bank', 'Select Round-Up Accounts', 'Select Funding Account', 'Finish'] as const;

export const ConnectingStepper = () => <Stepper steps={connecting} active={1} />;
export const SettingUpStepper = ({ active }: { active: 1 | 2 | 4 }) => <Stepper steps={settingUp} active={active} />;
