import { setSavingsAccount, type UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { useUserSetting } from '#features/identity/use-user-setting.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FaultBoundary } from '#ui/fault-boundary.tsx';
import { PartFault } from '#ui/opened-part.tsx';
import { Switch } from '#ui/switch.tsx';
import { GivingAndSavingWaiting } from './giving-and-saving-waiting.tsx';
import { LinkedSavings, savingsQuery } from './linked-savings.tsx';

const GivingAndSaving = lazy(() => import('./giving-and-saving.tsx'));

export function SavingsCard({ user }: { user: UserRecord }) {
  const { cdrid } = useCaller();
  const navigate = useNavigate();
  const linked = useQuery(savingsQuery(cdrid));
  const save = useUserSetting((savingsAccountEnabled: boolean) =>
    call(setSavingsAccount, { cdrid, savingsAccountEnabled }),
  );
  const isOn = save.isPending ? save.variables : user.savingsAccountEnabled;

  return (
    <Card title="Linked Savings Account">
      <Switch
        label={isOn ? 'On' : 'Off'}
        name="Linked Savings Account"
        isOn={isOn}
        onChange={(turnsOn) => save.mutate(turnsOn)}
      />
      {isOn && <LinkedSavings linked={linked} />}
      {isOn && save.isPending && <GivingAndSavingWaiting />}
      {isOn && !save.isPending && (
        <FaultBoundary fault={<PartFault />}>
          <Suspense fallback={<GivingAndSavingWaiting />}>
            <GivingAndSaving />
          </Suspense>
        </FaultBoundary>
      )}
      <Button look="secondary" onClick={() => void navigate('/linked-accounts')}>
        Manage Linked Account
      </Button>
    </Card>
  );
}
