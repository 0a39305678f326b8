import { clubFacts } from '@sparechange/contract/club-facts';
import {
  addClub,
  ClubFact,
  type ClubForm,
  type ConsoleClub,
  listClubs,
  retrieveBankDetailChange,
  retrieveClub,
  retrieveClubChoices,
  retrieveClubContact,
  retrieveClubFigures,
  retrieveClubLink,
  saveClub,
} from '@sparechange/contract/console';
import { formerContactDays } from '@sparechange/domain';
import { Modal, ModalActions, modalFoot } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField, type TextFieldProps } from '@sparechange/web/ui/text-field.tsx';
import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { changedMeanwhile, problemOf } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { Failure } from '../../ui/failure.tsx';
import { Select } from '../../ui/filters.tsx';
import { Form, useCallForm } from '../../ui/form.tsx';
import styles from './clubs.module.css';
import { PictureTiles } from './picture-tiles.tsx';

export const useClubChoices = (search?: string) =>
  useAnswer(retrieveClubChoices, search ? { search } : {}, { placeholderData: keepPreviousData });

/** Operations to refetch after a club has changed. */
export const changedWithClub = [
  listClubs,
  retrieveClub,
  retrieveClubChoices,
  retrieveClubContact,
  retrieveClubFigures,
  retrieveClubLink,
  retrieveBankDetailChange,
];

/** Returns names of files, including the present one where the list leaves it out. */
const filesFrom = (names: readonly string[] = [], present: string | null | undefined) => [
  ...new Set([...(present ? [present] : []), ...names]),
];

type Parent = NonNullable<ConsoleClub['parent']>;

/** Returns options of clubs, including the present one where the list leaves it out. */
const clubsFrom = (clubs: readonly Parent[], present: Parent | undefined) =>
  [...new Map([...(present ? [present] : []), ...clubs].map((each) => [each.id, each])).values()].map(
    ({ id, name }) => ({ value: id, label: name }),
  );

interface ParentFieldProps {
  /** The id of the club being edited, which cannot be its own parent. */
  clubId: string | undefined;
  parent: Parent | undefined;
  onChange: (parent: Parent | undefined) => void;
}

/** Chooses a club's parent; where there are more than a list holds, the server searches for it. */
function ParentField({ clubId, parent, onChange }: ParentFieldProps) {
  const [search, setSearch] = useState('');
  const { data: choices } = useClubChoices(useDeferredValue(search.trim()));
  const parents = (choices?.parents ?? []).filter(({ id }) => id !== clubId);
  return (
    <>
      {(choices?.hasMoreParents || search !== '') && (
        <TextField
          label="Find the club it is part of"
          type="search"
          value={search}
          maxLength={100}
          hint="The list below holds 500 clubs at most."
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()} // else it sends the form
        />
      )}
      <Select
        label="Part of"
        all="No other club"
        value={parent?.id ?? ''}
        onChange={(chosen) => onChange(parents.find(({ id }) => id === chosen) ?? (chosen ? parent : undefined))}
        options={clubsFrom(parents, parent)}
      />
    </>
  );
}

/** Returns a club as its form shows it. */
const formOf = ({ parent, goalDollars, ...club }: ConsoleClub): ClubForm => ({
  name: club.name,
  slug: club.slug,
  parentId: parent?.id ?? '',
  abn: club.abn ?? '',
  contactEmail: club.contactEmail ?? '',
  about: club.about ?? '',
  suburb: club.suburb ?? '',
  sport: club.sport ?? '',
  goalDollars: String(goalDollars ?? ''),
  logo: club.logo ?? '',
  picture: club.picture ?? '',
});

/** Fields of a club that it can be added without; a new club's form has them folded away. */
const details = ['suburb', 'sport', 'about', 'abn', 'goalDollars', 'logo', 'picture'] as const;

/** The form of a new or an existing club. */
export function ClubDialog({ club, onClose }: { club?: ConsoleClub; onClose: () => void }) {
  const navigate = useNavigate();
  const { data: choices } = useClubChoices();
  const [parent, setParent] = useState(club?.parent ?? undefined);
  const [opened] = useState(club && formOf(club));
  const [seen, setSeen] = useState(opened);
  const [hasDetails, setDetails] = useState(club !== undefined);
  const save = useMutation({
    mutationFn: async (typed: FormData) => {
      const fields = Object.fromEntries(typed) as Omit<ClubForm, 'parentId'>;
      const form = { ...fields, parentId: parent?.id ?? '', about: fields.about.replace(/\s+/g, ' ') };
      if (!club || !opened || !seen) return navigate(`/clubs/${(await call(addClub, form)).id}`);
      const changed = ClubFact.options.filter((fact) => form[fact] !== opened[fact]);
      const of = (facts: ClubForm) => Object.fromEntries(changed.map((fact) => [fact, facts[fact]]));
      if (changed.length > 0) await call(saveClub, { ...of(form), clubId: club.id, seen: of(seen) });
    },
    onError: (error) => {
      // Saving again may overwrite only those changes of somebody else that the refusal has shown.
      setSeen(seen && { ...seen, ...changedMeanwhile(error) });
      if (details.some((name) => problemOf(error, name) !== undefined)) setDetails(true);
    },
    onSuccess: async () => {
      await readAgain(changedWithClub);
      onClose();
    },
  });
  const { problem, form } = useCallForm(save.error, save.mutate);
  const field = (
    name: keyof ClubForm,
    label: string,
    value: string | number | null | undefined,
    more: Partial<TextFieldProps> = {},
  ) => (
    <TextField
      label={label}
      name={name}
      maxLength={clubFacts[name].max}
      defaultValue={value ?? ''}
      error={problem(name)}
      {...more}
    />
  );
  const problemWithoutField = (['parentId', 'about', 'logo', 'picture'] as const)
    .map((name) => problem(name))
    .find((each) => each !== undefined);
  return (
    <Modal title={club ? `Edit ${club.name}` : 'Add a club'} onClose={onClose}>
      <Form {...form}>
        {field('name', 'Name', club?.name, { required: true })}
        {field('slug', 'Link', club?.slug, {
          required: true,
          hint: club
            ? 'The former link will lead on to the new one.'
            : 'The last part of the club’s address, such as bay-rovers.',
        })}
        <ParentField clubId={club?.id} parent={parent} onChange={setParent} />
        {field('contactEmail', "Contact's email", club?.contactEmail, {
          type: 'email',
          hint: `Gets the remittance advices and confirms new bank details. For ${formerContactDays} days after a change the former contact confirms them.`,
        })}
        <details open={hasDetails} onToggle={({ currentTarget }) => setDetails(currentTarget.open)}>
          <summary className={styles.more}>More details</summary>
          <div className={styles.details}>
            <div className={styles.pair}>
              {field('suburb', 'Suburb', club?.suburb)}
              {field('sport', 'Sport or cause', club?.sport)}
            </div>
            <label className={styles.paragraph}>
              About: a paragraph on its page
              <textarea name="about" rows={4} maxLength={clubFacts.about.max} defaultValue={club?.about ?? ''} />
            </label>
            <div className={styles.pair}>
              {field('abn', 'ABN', club?.abn, { inputMode: 'numeric' })}
              {field('goalDollars', 'Goal in dollars', club?.goalDollars, { inputMode: 'decimal' })}
            </div>
            <PictureTiles
              label="Logo"
              name="logo"
              folder="logos"
              files={filesFrom(choices?.logos, club?.logo)}
              chosen={club?.logo ?? ''}
            />
            <PictureTiles
              label="Picture"
              name="picture"
              folder="pictures"
              files={filesFrom(choices?.pictures, club?.picture)}
              chosen={club?.picture ?? ''}
            />
          </div>
        </details>
        <div className={modalFoot}>
          {problemWithoutField && <Notice>{problemWithoutField}</Notice>}
          <Failure of={save.error} />
          <ModalActions onCancel={onClose} action={club ? 'Save' : 'Add club'} isBusy={save.isPending} />
        </div>
      </Form>
    </Modal>
  );
}
