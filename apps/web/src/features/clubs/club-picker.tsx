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
  /** False while only the first clubs have loaded. */
  isComplete: boolean;
  isFailed: boolean;
  onRetry: () => void;
  onPick: (club: ListedClub) => void;
  /** Shown below the clubs, within their height, so that it moves nothing if it appears late. */
  foot?: ReactNode;
}

export function ClubPicker({ clubs = [], isComplete, isFailed, onRetry, onPick, foot }: ClubPickerProps) {
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isStarted = useStarted(); // a press before the scripts start would be lost
  const matching = filterClubs(clubs, search);

  function showAll() {
    setSearch('');
    field.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the buttons within
    <div className={styles.picker} onKeyDown={moveFocusByArrows}>
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
        onKeyDown={(event) => event.key === 'Enter' && matching.length === 1 && matching[0] && onPick(matching[0])}
      />
      <div className={styles.place}>
        <div className={styles.frame}>
          {matching.length > 0 ? (
            <ul className={styles.list} aria-label="Clubs">
              {matching.map((club) => (
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
            {isComplete && matching.length === 0 && (
              <>
                <p>No club of that name. Try fewer letters.</p>
                {clubs.length > 0 && (
                  <Button look="secondary" onClick={showAll}>
                    Show all clubs
                  </Button>
                )}
              </>
            )}
            {isFailed && !isComplete && matching.length === 0 && (
              <>
                <p>We couldn't load the clubs.</p>
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

/** Moves the focus between field and clubs with the arrow keys, without scrolling. */
function moveFocusByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li > button')];
  const focused = stops.findIndex((stop) => stop.matches(':focus'));
  const next = stops[focused + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const skeletonWidths = [60, 44, 72, 52, 64];

const ClubSkeletons = () => (
  <div aria-hidden="true">
    {skeletonWidths.map((width) => (
      <div key={width} className={styles.skeleton}>
        <span style={{ width: `${width}%` }} />
      </div>
    ))}
  </div>
);

/** Returns the clubs with the search in their name, ignoring case, accents and apostrophes. */
const filterClubs = (clubs: readonly ListedClub[], search: string): ListedClub[] =>
  clubs.filter((club) => hasFolded(club.name, search));
