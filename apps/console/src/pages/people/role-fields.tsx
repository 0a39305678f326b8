import { findClubs, type Role, roles } from '@sparechange/contract/console';
import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { FormError } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useDeferredValue, useState } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import type { ProblemOf } from '../../ui/form.tsx';
import { roleNames, rolesInWords } from '../../words.ts';
import styles from './people.module.css';

export interface Granted {
  roles: Role[];
  clubs: { id: string; name: string }[];
}

interface RoleFieldsProps {
  granted: Granted;
  onChange: (granted: Granted) => void;
  problem: ProblemOf;
}

/** Chooses roles, and for a treasurer clubs. */
export function RoleFields({ granted, onChange, problem }: RoleFieldsProps) {
  const toggle = (role: Role) => {
    const held = roles.filter((each) => (each === role) !== granted.roles.includes(each));
    onChange({ roles: held, clubs: held.includes('treasurer') ? granted.clubs : [] });
  };
  return (
    <>
      <fieldset className={styles.roles} data-invalid={problem('roles') !== undefined}>
        <legend>Roles</legend>
        {roles.map((role) => (
          <Checkbox
            key={role}
            name="roles"
            value={role}
            label={roleNames[role]}
            detail={rolesInWords[role]}
            checked={granted.roles.includes(role)}
            onChange={() => toggle(role)}
          />
        ))}
      </fieldset>
      <Problem>{problem('roles')}</Problem>
      {granted.roles.includes('treasurer') && (
        <>
          <Clubs clubs={granted.clubs} onChange={(clubs) => onChange({ ...granted, clubs })} />
          <Problem>{problem('clubIds')}</Problem>
        </>
      )}
    </>
  );
}

const Problem = ({ children }: { children: string | undefined }) => children && <FormError>{children}</FormError>;

interface ClubsProps {
  label?: string;
  clubs: Granted['clubs'];
  onChange: (clubs: Granted['clubs']) => void;
}

/** Finds clubs and chooses some. */
export function Clubs({ label = 'Find a club', clubs, onChange }: ClubsProps) {
  const [search, setSearch] = useState('');
  const sought = useDeferredValue(search.trim());
  const found = useAnswer(findClubs, { search: sought }, { enabled: sought !== '' });
  const others = (found.data?.clubs ?? []).filter(({ id }) => clubs.every((club) => club.id !== id));
  return (
    <div className={styles.clubs}>
      <TextField
        label={label}
        type="search"
        value={search}
        maxLength={100}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()} // else it sends the form
      />
      <ul className={styles.found} aria-label="Clubs">
        {clubs.map((club) => (
          <li key={club.id}>
            <Checkbox
              name="clubIds"
              value={club.id}
              label={club.name}
              checked
              onChange={() => onChange(clubs.filter(({ id }) => id !== club.id))}
            />
          </li>
        ))}
        {others.map((club) => (
          <li key={club.id}>
            <Checkbox
              name="clubIds"
              value={club.id}
              label={club.name}
              checked={false}
              onChange={() => onChange([...clubs, club])}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
