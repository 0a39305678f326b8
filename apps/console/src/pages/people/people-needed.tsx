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

/** Says how many people a dangerous act needs, and lets an owner choose. */
export function PeopleNeeded() {
  const [chosen, setChosen] = useState<1 | 2>();
  const rule = useAnswer(retrievePeopleNeeded, {});
  const asked = useApprovalsOf('one_person').filter(isOpen);
  if (!rule.data) return rule.error ? <Failure of={rule.error} again={rule.refetch} /> : <Loading />;
  const { people, chosenBy } = rule.data;
  return (
    <Section
      title="Dangerous acts"
      actions={
        asked.length === 0 && (
          <Button look="secondary" onClick={() => setChosen(people === 2 ? 1 : 2)}>
            {people === 2 ? 'Let one person be enough' : 'Ask for two people'}
          </Button>
        )
      }
    >
      <p>
        <Tag tone={people === 2 ? 'good' : 'bad'}>{people === 2 ? 'Two people' : 'One person'}</Tag>{' '}
        {people === 2
          ? 'One person asks for a dangerous act, such as a large refund or other bank details, and another agrees under Today.'
          : 'Whoever may ask for a dangerous act, such as a large refund or other bank details, carries it out alone.'}{' '}
        {chosenBy === null ? 'Nobody has chosen yet.' : `Chosen by ${chosenBy}.`}
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
    title={people === 1 ? 'Let one person be enough?' : 'Ask for two people?'}
    action={people === 1 ? 'Let one be enough' : 'Ask for two'}
    act={() => call(choosePeopleNeeded, { people })}
    changes={[retrievePeopleNeeded, listApprovals, retrieveToday]}
    after={({ asked }) => asked && <WaitsForApproval asked={asked} />}
    onClose={onClose}
  >
    {() =>
      people === 2 ? (
        <p>
          From now on a dangerous act waits until another person agrees. The way back to one person takes two, so please
          make sure that there is another owner.
        </p>
      ) : (
        <p>
          From then on refunds of any amount, bank details, roles and keys need nobody else. That is for an organisation
          of one.{' '}
          {isFirst
            ? 'The first choice of somebody who has always been the only owner is theirs alone; else another owner has'
            : 'Another owner has'}{' '}
          to agree.
        </p>
      )
    }
  </ActDialog>
);
