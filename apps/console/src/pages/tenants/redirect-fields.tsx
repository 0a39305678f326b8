import { listTenantNames, Redirects } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useState } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import { Select } from '../../ui/filters.tsx';
import { Note, Section } from '../../ui/page.tsx';
import { ClubField, type FieldsProps } from './tenant-fields.tsx';
import { tenantOptions } from './tenant-options.ts';
import styles from './tenants.module.css';

type Screen = 'verify' | 'confirmed' | 'consented';

const screens: { screen: Screen; title: string; lead: string }[] = [
  {
    screen: 'verify',
    title: 'Confirming the email',
    lead: 'Where somebody who registered for a club elsewhere continues.',
  },
  { screen: 'confirmed', title: 'After the bank confirmed', lead: 'By the club, or by the league that it belongs to.' },
  { screen: 'consented', title: 'After the consent', lead: 'Where somebody who came back from their bank continues.' },
];

interface Line {
  by: 'clubId' | 'parentClubId';
  clubId: string;
  tenant: string;
}

function linesOf({ verify, confirmed, consented }: Redirects, screen: Screen): Line[] {
  if (screen === 'confirmed')
    // A rule may name both, and is met by either.
    return confirmed.flatMap(({ clubId, parentClubId, tenant }): Line[] => [
      ...(clubId === undefined ? [] : [{ by: 'clubId' as const, clubId, tenant }]),
      ...(parentClubId === undefined ? [] : [{ by: 'parentClubId' as const, clubId: parentClubId, tenant }]),
    ]);
  const all = screen === 'verify' ? verify : consented;
  return Object.entries(all).map(([clubId, tenant]) => ({ by: 'clubId', clubId, tenant }));
}

const contentOf = (screen: Screen, lines: Line[]) =>
  screen === 'confirmed'
    ? lines.map(({ by, clubId, tenant }) => ({ [by]: clubId, tenant }))
    : Object.fromEntries(lines.map(({ clubId, tenant }) => [clubId, tenant]));

/** Edits, by screen, which clubs' supporters continue at another brand. */
export function RedirectFields({ content, onChange, clubs }: FieldsProps) {
  const { data: redirects } = Redirects.safeParse(content);
  const brands = useAnswer(listTenantNames, {});
  const options = tenantOptions(brands.data?.tenants ?? []);
  const nameOf = ({ clubId }: Line) => clubs.find(({ id }) => id === clubId)?.name ?? clubId;
  if (!redirects) return null;
  return screens.map(({ screen, title, lead }) => {
    const lines = linesOf(redirects, screen);
    const save = (next: Line[]) => onChange({ ...content, [screen]: contentOf(screen, next) });
    return (
      <Section key={screen} title={title}>
        <Note>{lead}</Note>
        <ul className={styles.redirects}>
          {lines.map((line) => (
            <li key={`${line.by} ${line.clubId}`}>
              <span>
                {nameOf(line)}
                {line.by === 'parentClubId' && <span className={styles.quiet}>the clubs below it</span>}
              </span>
              <Select
                label={`${nameOf(line)} continues at`}
                value={line.tenant}
                onChange={(tenant) => save(lines.map((each) => (each === line ? { ...line, tenant } : each)))}
                options={options}
              />
              <Button look="quiet" onClick={() => save(lines.filter((each) => each !== line))}>
                Remove <span className="visually-hidden">{nameOf(line)}</span>
              </Button>
            </li>
          ))}
        </ul>
        <AddLine
          isForLeagues={screen === 'confirmed'}
          clubs={clubs}
          options={options}
          onAdd={(line) => save([...lines.filter((each) => each.by !== line.by || each.clubId !== line.clubId), line])}
        />
      </Section>
    );
  });
}

interface AddLineProps {
  isForLeagues: boolean;
  clubs: FieldsProps['clubs'];
  options: { value: string; label: string }[];
  onAdd: (line: Line) => void;
}

function AddLine({ isForLeagues, clubs, options, onAdd }: AddLineProps) {
  const [clubId, setClubId] = useState('');
  const [by, setBy] = useState<Line['by']>('clubId');
  const [tenant, setTenant] = useState('default');
  return (
    <div className={styles.addLine}>
      <ClubField label="Club" hint={undefined} error={undefined} value={clubId} onChange={setClubId} clubs={clubs} />
      {isForLeagues && (
        <Select
          label="For"
          value={by}
          onChange={(value) => setBy(value === 'parentClubId' ? 'parentClubId' : 'clubId')}
          options={[
            { value: 'clubId', label: 'the club' },
            { value: 'parentClubId', label: 'the clubs below it' },
          ]}
        />
      )}
      <Select label="Continues at" value={tenant} onChange={setTenant} options={options} />
      <Button
        look="secondary"
        disabled={clubId.trim() === ''}
        onClick={() => {
          onAdd({ by, clubId: clubId.trim(), tenant });
          setClubId('');
        }}
      >
        Add
      </Button>
    </div>
  );
}
