import type { ListedClub } from '@sparechange/contract';
import { hasFolded } from '@sparechange/domain';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ChevronIcon, SearchIcon } from '#ui/icons.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useStarted } from '#ui/use-started.ts';
import { ClubMark } from './club-mark.tsx';
import styles from './club-picker.module.css';

interface ClubPickerProps {
  clubs: readonly ListedClub[] | undefined;
  /** False while only the first clubs are there. */
  isComplete: boolean;
  isFailed: boolean;
  onRetry: () => void;
  onPick: (club: ListedClub) => void;
  /** Shown under the clubs, in a part of their height: it may come late and moves nothing. */
  foot?: ReactNode;
}

export function ClubPicker({ clubs = [], isComplete, isFailed, onRetry, onPick, foot }: ClubPickerProps) {
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isStarted = useStarted(); // a press before that would be lost
  const found = filterClubs(clubs, search);

  function showAll() {
    setSearch('');
    field.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the buttons within
    <div className={styles.picker} onKeyDown={moveByArrows}>
      <TextField
        label="Search"
        className={styles.search}
        type="search"
        disabled={!isStarted}
        ref={field}
        placeholder="Search for a club here..."
        autoComplete="off"
        leading={
          <span className={styles.lens}>
            <SearchIcon size={20} />
          </span>
        }
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && found.length === 1 && found[0] && onPick(found[0])}
      />
      <div className={styles.place}>
        <div className={styles.frame}>
          {found.length > 0 ? (
            <ul className={styles.list} aria-label="Clubs">
              {found.map((club) => (
                <li key={club._id}>
                  <button type="button" className={styles.club} disabled={!isStarted} onClick={() => onPick(club)}>
                    <ClubMark logoURL={club.logoURL} name={club.name} size={40} />
                    <span className={styles.words}>
                      <span>{club.name}</span>
                      {club.suburb && <span className={styles.suburb}>{club.suburb}</span>}
                    </span>
                    <ChevronIcon size={20} />
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            !isComplete && !isFailed && <ClubSkeletons />
          )}
          <div role="status" className={styles.none}>
            {isComplete && found.length === 0 && (
              <>
                <p>No club of that name. Try fewer letters.</p>
                {clubs.length > 0 && (
                  <Button look="secondary" onClick={showAll}>
                    Show all clubs
                  </Button>
                )}
              </>
            )}
            {isFailed && !isComplete && found.length === 0 && (
              <>
                <p>No clubs to show just now.</p>
                <Button look="secondary" onClick={onRetry}>
                  Retry
                </Button>
              </>
            )}
          </div>
        </div>
        {foot}
      </div>
    </div>
  );
}

/** Moves through field and clubs by arrow keys, without scrolling. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li > button')];
  const present = stops.findIndex((stop) => stop.matches(':focus'));
  const next = stops[present + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const widths = [60, 44, 72, 52, 64];

const ClubSkeletons = () => (
  <div aria-hidden="true">
    {widths.map((width) => (
      <div key={width} className={styles.skeleton}>
        <span style={{ width: `${width}%` }} />
      </div>
    ))}
  </div>
);

/** Matches part of a name, ignoring case, accents and apostrophes. */
const filterClubs = (clubs: readonly ListedClub[], search: string): ListedClub[] =>
  clubs.filter((club) => hasFolded(club.name, search));
