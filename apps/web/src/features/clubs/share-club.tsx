import { type ComponentProps, useState } from 'react';
import { useCaller } from '#features/identity/caller.tsx';
import { Help } from '#ui/notice.tsx';
import { LinkButton } from '#ui/text-link.tsx';

/** Handlers of the pointer and the focus at its button. */
type Touched = Pick<ComponentProps<'button'>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>;

interface ShareClubProps extends Touched {
  name: string;
  slug: string | undefined;
  onShare?: () => void;
}

/** Shares the address of a club's page, or copies it where the browser cannot share. Whoever registers there was referred by the caller. */
export function ShareClub({ name, slug = '', onShare, ...touched }: ShareClubProps) {
  const { cdrid } = useCaller();
  const [words, setWords] = useState('');
  const url = `${location.origin}/${slug}?${new URLSearchParams({ efg: '1', u: cdrid })}`;

  async function share(): Promise<void> {
    onShare?.();
    try {
      const canShare: boolean = 'share' in navigator;
      if (canShare) return await navigator.share({ title: name, url });
      await navigator.clipboard.writeText(url);
      setWords('Link copied.');
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return; // the sheet was closed again
      setWords(url);
    }
  }

  return (
    <Help>
      Know somebody who would join in?{' '}
      <LinkButton {...touched} onClick={() => void share()}>
        Share your club
      </LinkButton>{' '}
      <span role="status">{words}</span>
    </Help>
  );
}
