import { retrieveGivenPicture } from '@sparechange/contract';
import { type Cents, formatCents, noCents, subtract } from '@sparechange/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { yearToDateQuery } from '#features/history/history-queries.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Help } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { saveFile } from '#ui/save-file.ts';
import { LinkButton } from '#ui/text-link.tsx';
import styles from './share-club.module.css';

interface ShareClubProps {
  name: string;
  slug: string | undefined;
}

/**
 * Shares the address of a club's page, or copies it where the browser cannot share; optionally with a picture of the
 * caller's giving. People who register there count as referred by the caller.
 */
export function ShareClub({ name, slug = '' }: ShareClubProps) {
  const { cdrid } = useCaller();
  const [words, setWords] = useState('');
  const [withPicture, setWithPicture] = useState(false);
  const picture = useQuery({ ...givenPictureQuery(cdrid), enabled: withPicture });
  const given = useClearedToDate();
  const url = `${location.origin}/${slug}?${new URLSearchParams({ efg: '1', u: cdrid })}`;

  async function share(): Promise<void> {
    const file = withPicture ? picture.data?.file : undefined;
    const sheet = { title: name, url, ...(file && { files: [file] }) };
    try {
      if (canShare(sheet)) return await navigator.share(sheet);
      if (file) saveFile([file], file);
      await navigator.clipboard.writeText(url);
      setWords(file ? 'Picture saved, link copied.' : 'Link copied.');
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return; // the sheet was closed again
      setWords(url);
    }
  }

  return (
    <div className={styles.share}>
      <Help>
        Know someone who'd join in?{' '}
        <LinkButton disabled={withPicture && !picture.data} onClick={() => void share()}>
          Share your club
        </LinkButton>{' '}
        <span role="status">{words}</span>
      </Help>
      {given > 0 && (
        <Checkbox
          label="Add a picture of what I've given"
          checked={withPicture}
          onChange={(event) => setWithPicture(event.target.checked)}
        />
      )}
      {withPicture && (
        <div className={styles.picture}>
          {picture.data ? (
            <img
              src={picture.data.path}
              width="1200"
              height="630"
              alt={`I have given ${formatCents(given)} to ${name}`}
            />
          ) : picture.isError ? (
            <TryAgain onRetry={picture.refetch}>Your picture could not be drawn.</TryAgain>
          ) : (
            <span role="status">Drawing your picture…</span>
          )}
        </div>
      )}
    </div>
  );
}

/** Returns the caller's gifts confirmed by the bank, as shown in the picture. */
function useClearedToDate(): Cents {
  const { data } = useQuery(yearToDateQuery(useCaller().cdrid));
  return data ? subtract(data.allTimeCents ?? data.cents, data.inFlightCents) : noCents;
}

/**
 * The picture of the gifts, fetched before sharing: a browser shares only files that exist when the button is pressed.
 */
const givenPictureQuery = (cdrid: string) =>
  queryOptions({
    queryKey: [retrieveGivenPicture.name, cdrid],
    queryFn: async () => {
      const { path } = await call(retrieveGivenPicture, { cdrid });
      const answer = path === null ? undefined : await fetch(path);
      if (path === null || !answer?.ok) throw new Error('There is no picture of what was given.');
      return { path, file: new File([await answer.blob()], 'what-i-have-given.png', { type: 'image/png' }) };
    },
  });

const canShare = (sheet: ShareData): boolean =>
  'share' in navigator && (!sheet.files || ('canShare' in navigator && navigator.canShare(sheet)));
