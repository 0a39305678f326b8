import { retrieveClub, retrieveClubFigures, setClubGoal } from '@sparechange/contract/console';
import type { Cents } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useId, useState } from 'react';
import { call } from '#api/call.ts';
import { changedMeanwhile } from '#api/call-problem.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { Note, Section } from '../ui/page.tsx';
import { wholeDollars } from '../ui/whole-dollars.ts';
import styles from './figures.module.css';

interface GoalProps {
  clubId: string;
  raisedCents: Cents;
  goalDollars: number | null;
}

/** Shows how far a club is towards its goal, which its page shows too, and lets people who may set it. */
export function Goal({ clubId, raisedCents, goalDollars }: GoalProps) {
  const [isSetting, setSetting] = useState(false);
  const maySet = useMay(setClubGoal, { clubId });
  const words = useId();
  if (goalDollars === null && !maySet) return null;
  const raised = Math.max(0, Math.floor(raisedCents / 100));
  return (
    <Section
      title="Goal"
      actions={
        maySet && (
          <Button look="secondary" onClick={() => setSetting(true)}>
            {goalDollars === null ? 'Set a goal' : 'Change the goal'}
          </Button>
        )
      }
    >
      {goalDollars === null ? (
        <Note>A goal shows people on the club’s page how far it has come.</Note>
      ) : (
        <div className={styles.goal}>
          <p id={words}>
            <strong>{wholeDollars(raised)}</strong> of {wholeDollars(goalDollars)}
            <span>{raised >= goalDollars ? 'Reached' : `${Math.floor((100 * raised) / goalDollars)}%`}</span>
          </p>
          <progress value={Math.min(raised, goalDollars)} max={goalDollars} aria-labelledby={words} />
        </div>
      )}
      {isSetting && <GoalDialog clubId={clubId} goalDollars={goalDollars} onClose={() => setSetting(false)} />}
    </Section>
  );
}

interface GoalDialogProps {
  clubId: string;
  goalDollars: number | null;
  onClose: () => void;
}

function GoalDialog({ clubId, goalDollars, onClose }: GoalDialogProps) {
  const shown = goalDollars === null ? '' : String(goalDollars);
  const [seen, setSeen] = useState(shown);
  const setGoal = (typed: string) =>
    call(setClubGoal, { clubId, goalDollars: typed, seen }).catch((error) => {
      // A second attempt may replace only the goal that the refusal showed.
      setSeen(changedMeanwhile(error)?.goalDollars ?? seen);
      throw error;
    });
  return (
    <ActDialog
      title={goalDollars === null ? 'Set a goal' : 'Change the goal'}
      action="Save"
      act={(form) => setGoal(String(form.get('goalDollars')))}
      changes={[retrieveClubFigures, retrieveClub]}
      onClose={onClose}
    >
      {(problem) => (
        <TextField
          label="Goal"
          name="goalDollars"
          inputMode="numeric"
          maxLength={14}
          autoComplete="off"
          leading={<span className={styles.dollars}>$</span>}
          defaultValue={shown}
          hint="In whole dollars, of all that the club raises. Leave it empty for none."
          error={problem('goalDollars')}
        />
      )}
    </ActDialog>
  );
}
