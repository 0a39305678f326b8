import { Dialog } from '@sparechange/web/ui/dialog.tsx';
import { SearchIcon } from '@sparechange/web/ui/icons.tsx';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Page } from '../pages.ts';
import { useTyped } from '../ui/filters.tsx';
import styles from './palette.module.css';
import { type Found, useFound } from './use-found.ts';

interface PaletteProps {
  /** Pages of the person's navigation. */
  pages: readonly Page[];
  onClose: () => void;
}

/** One box that leads to pages, acts, people, payments, clubs and brands; the arrow keys choose, Enter opens. */
export default function Palette({ pages, onClose }: PaletteProps) {
  const [asked, ask] = useState('');
  const [typed, setTyped] = useTyped(asked, ask);
  const { groups, isReading, hasFailed } = useFound(asked, pages);
  const all = groups.flatMap(({ found }) => found);
  const [chosenPath, choose] = useState<string>();
  const place = Math.max(
    0,
    all.findIndex(({ path }) => path === chosenPath),
  );
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const idOf = (index: number) => `${id}-${index}`;
  useEffect(() => box.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps && all.length > 0) {
      event.preventDefault();
      const next = (place + steps + all.length) % all.length;
      choose(all[next]?.path);
      document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
    }
    // What is typed and not searched yet would open something else.
    if (event.key === 'Enter' && typed.trim() === asked) document.getElementById(idOf(place))?.click();
  };
  const option = (each: Found) => {
    const index = all.indexOf(each);
    return (
      <Link
        key={each.path}
        id={idOf(index)}
        role="option"
        aria-selected={index === place}
        tabIndex={-1}
        to={each.path}
        className={styles.option ?? ''}
        onClick={onClose}
      >
        <span>{each.title}</span>
        {each.detail && <span className={styles.detail}>{each.detail}</span>}
      </Link>
    );
  };
  return (
    <Dialog onClose={onClose} aria-label="Find anything" className={styles.palette}>
      <div className={styles.box}>
        <SearchIcon size={20} />
        <input
          ref={box}
          type="text"
          role="combobox"
          aria-label="Find anything"
          aria-expanded={all.length > 0}
          aria-controls={id}
          aria-activedescendant={all.length > 0 ? idOf(place) : undefined}
          placeholder="Page, person, club, reference or act"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label="Found" className={styles.found}>
        {groups.map(({ name, found }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
          <div key={name} role="group" aria-label={name}>
            <p className={styles.group} aria-hidden="true">
              {name}
            </p>
            {found.map(option)}
          </div>
        ))}
      </div>
      <p role="status" className={styles.status}>
        {hasFailed && 'Some lists could not be read. '}
        {all.length === 0 && (isReading ? 'Searching...' : `Nothing found for “${asked}”.`)}
      </p>
    </Dialog>
  );
}
