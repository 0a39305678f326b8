import { setWeeklyLimit, type UserRecord } from '@sparechange/contract';
import type { WeeklyLimit as Limit, RoundUpStep } from '@sparechange/domain';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { useUserSetting } from '#features/identity/use-user-setting.ts';
import { Choice } from '#ui/choice.tsx';
import { Switch } from '#ui/switch.tsx';
import { OutlookSpace } from './projection-space.tsx';

const limits = [
  { value: 750, label: '$7.50' },
  { value: 1000, label: '$10.00' },
  { value: 1250, label: '$12.50' },
] as const;

/** The limit that switching on begins with. */
const usual: Limit = 1000;

export function WeeklyLimit({ user, step }: { user: UserRecord; step: RoundUpStep }) {
  const { cdrid } = useCaller();
  const save = useUserSetting((weeklyMaximumLimit: Limit) => call(setWeeklyLimit, { cdrid, weeklyMaximumLimit }));
  const limit = save.isPending ? save.variables : user.weeklyMaximumLimit;

  return (
    <>
      <Switch
        look="part"
        label={limit > 0 ? 'Weekly Limit On' : 'Weekly Limit Off'}
        isOn={limit > 0}
        onChange={(turnsOn) => save.mutate(turnsOn ? limit || usual : 0)}
      />
      {limit > 0 && (
        <Choice
          legend="Limit round-up amount per week:"
          options={limits}
          value={limit === 0 ? undefined : limit}
          onChange={(chosen) => save.mutate(chosen)}
        />
      )}
      <OutlookSpace of="limit" step={step} limit={limit} usual={usual} />
    </>
  );
}
