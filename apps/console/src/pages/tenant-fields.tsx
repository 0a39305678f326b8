import { findClubs, type SettingsProblem, type TenantContent } from '@sparechange/contract/console';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useDeferredValue, useId } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import { Note, Section } from '../ui/page.tsx';
import { PictureField } from './picture-field.tsx';
import { type Field, groups, settingIn, withSetting } from './tenant-settings.ts';
import styles from './tenants.module.css';

export interface Club {
  id: string;
  name: string;
}

export interface FieldsProps {
  content: TenantContent;
  onChange: (content: TenantContent) => void;
  problems: SettingsProblem[];
  tenantKey: string;
  /** The clubs that the stored settings name. */
  clubs: Club[];
}

/** Edits every setting of a brand, with the problems of each under it. */
export const TenantFields = ({ tenantKey, content, onChange, problems, clubs }: FieldsProps) =>
  groups.map(({ title, lead, fields }) => (
    <Section key={title} title={title}>
      <Note>{lead}</Note>
      {fields.map((field) => (
        <SettingField
          key={field.name}
          field={field}
          value={settingIn(content, field.name)}
          onChange={(value) => onChange(withSetting(content, field.name, value))}
          error={
            problems
              .filter((problem) => problem.field === field.name)
              .map(({ sentence }) => sentence.charAt(0).toUpperCase() + sentence.slice(1))
              .join('. ') || undefined
          }
          clubs={clubs}
          tenantKey={tenantKey}
        />
      ))}
    </Section>
  ));

interface SettingFieldProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
  clubs: Club[];
  tenantKey: string;
}

function SettingField({ field, value, onChange, error, clubs, tenantKey }: SettingFieldProps) {
  const { name, label, hint, kind, isOptional } = field;
  const text = value === undefined ? '' : String(value);
  const change = (typed: string) => onChange(typed === '' && isOptional ? undefined : typed);
  const shared = { label: isOptional ? `${label} (optional)` : label, hint, error, value: text };
  if (kind === 'text') return <LongField {...shared} onChange={change} />;
  if (kind === 'club') return <ClubField {...shared} onChange={change} clubs={clubs} />;
  if (kind === 'picture') return <PictureField {...shared} onChange={change} tenantKey={tenantKey} name={name} />;
  if (kind === 'cents')
    return (
      <TextField
        {...shared}
        inputMode="numeric"
        onChange={({ target }) => onChange(/^\d{1,9}$/.test(target.value) ? Number(target.value) : target.value)}
      />
    );
  return (
    <TextField
      {...shared}
      type={kind === 'day' ? 'date' : 'text'}
      onChange={({ target }) => change(target.value)}
      leading={
        kind === 'colour' ? (
          <input
            type="color"
            aria-label={`Pick ${label}`}
            className={styles.picker}
            value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#000000'}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : undefined
      }
    />
  );
}

export interface TypedFieldProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function LongField({ label, hint, error, value, onChange }: TypedFieldProps) {
  const id = useId();
  return (
    <div className={styles.long}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={5}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value.replaceAll('\n', ' '))}
      />
      <p id={`${id}-note`} className={error ? styles.problem : styles.quiet}>
        {error ?? hint}
      </p>
    </div>
  );
}

/** Takes a club's id, and finds it by name. */
export function ClubField({ label, hint, error, value, onChange, clubs }: TypedFieldProps & { clubs: Club[] }) {
  const listId = useId();
  const search = useDeferredValue(value.trim());
  const isId = /^[0-9a-f-]{36}$/.test(search);
  const found = useAnswer(findClubs, { search }, { enabled: search !== '' && !isId });
  const known = [...clubs, ...(found.data?.clubs ?? [])];
  return (
    <>
      <TextField
        label={label}
        hint={known.find(({ id }) => id === value)?.name ?? hint}
        error={isId || search === '' ? error : undefined}
        value={value}
        list={listId}
        maxLength={60}
        placeholder="Search by name"
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {(found.data?.clubs ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
