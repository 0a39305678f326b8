import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import styles from './filters.module.css';

/** The filter of a list, above it. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <search className={styles.filters}>{children}</search>
);

interface FoldedFiltersProps {
  search: ReactNode;
  /** Values of the other filters; those that are set are counted on their button. */
  others: (string | undefined)[];
  /** The other filters. */
  children: ReactNode;
}

/** A filter of several fields; on a phone, where they would take the place of the list, a button opens all but the search. */
export function FoldedFilters({ search, others, children }: FoldedFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const count = others.filter(Boolean).length;
  return (
    <Filters>
      {search}
      <Button
        look="secondary"
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Filters{count > 0 && ` (${count})`}
      </Button>
      <div id={id} className={styles.folded} data-open={isOpen}>
        {children}
      </div>
    </Filters>
  );
}

/**
 * Keeps a filter's typed value, and applies it once typing pauses and the value is valid; a value from elsewhere, such
 * as a link, replaces it.
 */
export function useTyped(value: string, ask: (value: string) => void, mayAsk: (words: string) => boolean = () => true) {
  const [typed, setTyped] = useState(value);
  const [asked, setAsked] = useState(value);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    if (value !== asked) {
      setAsked(value);
      setTyped(value);
    }
  }
  const words = typed.trim();
  const isDue = words !== asked && mayAsk(words);
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => {
      setAsked(words);
      ask(words);
    }, 300);
    return () => clearTimeout(timer);
  }, [isDue, words, ask]);
  return [typed, setTyped] as const;
}

interface SearchFieldProps {
  value: string;
  /** Names what is searched. */
  placeholder?: string;
  onChange: (value: string) => void;
}

/** Searches once typing pauses. */
export function SearchField({ value, placeholder, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <TextField
      label="Search"
      type="search"
      placeholder={placeholder}
      value={typed}
      maxLength={100}
      onChange={(event) => setTyped(event.target.value)}
      className={styles.search ?? ''}
    />
  );
}

interface DayFieldsProps {
  filter: { from?: string | undefined; to?: string | undefined };
  onChange: (name: 'from' | 'to', day: string) => void;
  problemOf?: (name: string) => string | undefined;
}

/** The first and the last day of a list. */
export const DayFields = ({ filter, onChange, problemOf }: DayFieldsProps) =>
  (['from', 'to'] as const).map((name) => (
    <TextField
      key={name}
      label={name === 'from' ? 'From' : 'To'}
      type="date"
      value={filter[name] ?? ''}
      error={problemOf?.(name)}
      onChange={(event) => onChange(name, event.target.value)}
      className={styles.day ?? ''}
    />
  ));

/** Returns a Select's options by their names in words. */
export const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

interface SelectProps {
  ref?: RefObject<HTMLSelectElement | null>;
  label: string;
  /** The option that stands for no choice; without it there is none. */
  all?: string;
  options: readonly { value: string; label: string }[];
  /** The chosen value; without it the form around it reads the choice by its name. */
  value?: string;
  name?: string;
  onChange?: (value: string) => void;
}

/** A choice of a filter or a form. */
export function Select({ label, all, options, onChange, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select} onChange={(event) => onChange?.(event.target.value)}>
        {all && <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
