import { findClubs, type SettingsProblem, type TenantContent } from '@sparechange/contract/console';
import { cents, dollars, parseTypedAmount } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useDeferredValue, useEffect, useId, useState } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import { Note, Section } from '../../ui/page.tsx';
import { capitalised } from '../../words.ts';
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
              .map(({ sentence }) => capitalised(sentence))
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
  if (kind === 'cents') return <DollarsField {...shared} value={value} onChange={onChange} />;
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

interface DollarsFieldProps extends Omit<TypedFieldProps, 'value' | 'onChange'> {
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Takes dollars for a setting in cents; anything but an amount is passed on as typed, and refused. */
function DollarsField({ error, value, onChange, ...field }: DollarsFieldProps) {
  const [typed, setTyped] = useState(typeof value === 'number' ? dollars(cents(value)) : '');
  const isAmount = typeof value === 'number';
  return (
    <TextField
      {...field}
      inputMode="decimal"
      leading={<span className={styles.dollars}>$</span>}
      maxLength={12}
      value={typed}
      error={error && (isAmount ? error : 'Please enter dollars such as 2.00')}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(parseTypedAmount(target.value) ?? target.value);
      }}
    />
  );
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

/** Takes a club's id, or its name where only one club has it; a club that is known is shown by its name. */
export function ClubField({ label, hint, error, value, onChange, clubs }: TypedFieldProps & { clubs: Club[] }) {
  const listId = useId();
  const search = useDeferredValue(value.trim());
  const isId = /^[0-9a-f-]{36}$/.test(search);
  const found = useAnswer(findClubs, { search }, { enabled: search !== '' && !isId });
  const [picked, setPicked] = useState<Club>();
  const [isTyping, setTyping] = useState(false);
  const known = [...clubs, ...(picked ? [picked] : [])].find(({ id }) => id === value);
  const namedSo = found.data?.clubs.filter(({ name }) => name.toLowerCase() === search.toLowerCase()) ?? [];
  // Not while the search lags behind the field's value: each render would otherwise choose the club again.
  const [meant] = isId || value.trim() !== search || namedSo.length > 1 ? [] : namedSo;
  useEffect(() => {
    if (!meant || isTyping) return;
    setPicked(meant);
    onChange(meant.id);
  }, [meant, isTyping, onChange]);
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        error={isTyping && !isId ? undefined : error}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
        value={known?.name ?? value}
        list={listId}
        maxLength={120}
        placeholder="Search by name"
        onChange={({ target }) => {
          setPicked(found.data?.clubs.find(({ id }) => id === target.value) ?? picked);
          onChange(target.value);
        }}
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
