import { Stepper } from '#ui/stepper.tsx';

/** As long as the bank is not connected: the labels of /launch-consent. */
const connecting = [
  'Register Account',
  'Connect To Bank',
  'Select Round-Up Accounts',
  'Select Funding Account',
] as const;

/** Afterwards, where the specification names positions (1, 2, 4) and no labels. */
const settingUp = ['Connect To Bank', 'Select Round-Up Accounts', 'Select Funding Account', 'Finish'] as const;

export const ConnectingStepper = () => <Stepper steps={connecting} active={1} />;
export const SettingUpStepper = ({ active }: { active: 1 | 2 | 4 }) => <Stepper steps={settingUp} active={active} />;
