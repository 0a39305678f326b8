import { choosePeopleNeeded, listApprovals, retrievePeopleNeeded, retrieveToday } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Loading, Section, Tag } from '../../ui/page.tsx';
import { WaitsForApproval } from '../../ui/waits-for-approval.tsx';
import { Approvals, isOpen, useApprovalsOf } from '../parts/approvals.tsx';

/** Says how many people an act with approval needs, and lets an owner choose. */
export function PeopleNeeded() {
  const [chosen, setChosen] = useState<1 | 2>();
  const rule = useAnswer(retrievePeopleNeeded, {});
  const asked = useApprovalsOf('one_person').filter(isOpen);
  if (!rule.data) return rule.error ? <Failure of={rule.error} again={rule.refetch} /> : <Loading />;
  const { people, chosenBy } = rule.data;
  return (
    <Section
      title="Approvals"
      actions={
        asked.length === 0 && (
          <Button look="secondary" onClick={() => setChosen(people === 2 ? 1 : 2)}>
            {people === 2 ? 'Turn approvals off' : 'Require two people'}
          </Button>
        )
      }
    >
      <p>
        <Tag tone={people === 2 ? 'good' : 'bad'}>{people === 2 ? 'Two people' : 'One person'}</Tag>{' '}
        {people === 2
          ? 'Large refunds, new bank details and the like are requested by one person and approved by another, under Today.'
          : 'Large refunds, new bank details and the like need one person only.'}{' '}
        {chosenBy === null ? 'This is the default.' : `Chosen by ${chosenBy}.`}
      </p>
      <Approvals approvals={asked} />
      {chosen && <ChoosePeople people={chosen} isFirst={chosenBy === null} onClose={() => setChosen(undefined)} />}
    </Section>
  );
}

interface ChoosePeopleProps {
  people: 1 | 2;
  isFirst: boolean;
  onClose: () => void;
}

const ChoosePeople = ({ people, isFirst, onClose }: ChoosePeopleProps) => (
  <ActDialog
    title={people === 1 ? 'Turn approvals off?' : 'Require two people?'}
    action={people === 1 ? 'Turn off' : 'Require two'}
    act={() => call(choosePeopleNeeded, { people })}
    changes={[retrievePeopleNeeded, listApprovals, retrieveToday]}
    after={({ asked }) => asked && <WaitsForApproval asked={asked} />}
    onClose={onClose}
  >
    {() =>
      people === 2 ? (
        <p>
          Refunds, bank details, roles and keys will wait until another person agrees. Turning this off needs two people
          as well, so make sure there is another owner.
        </p>
      ) : (
        <p>
          Refunds of any amount, bank details, roles and keys will need no second person. That suits an organisation of
          one.{' '}
          {isFirst ? 'A sole owner makes the first choice alone; otherwise another owner has' : 'Another owner has'} to
          agree.
        </p>
      )
    }
  </ActDialog>
);
