import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { Help } from './notice.tsx';
import { showNote } from './status-line.tsx';

interface OpenedPartProps<Props> {
  /** Loads the part's code; the same function each time. */
  load: () => Promise<{ default: ComponentType<Props> }>;
  /** The part's own properties. */
  of: Props;
  /** Closes what did not open. */
  onFailed: () => void;
}

/**
 * A part whose code loads as it is opened. Where the code cannot be loaded, offline say, a note says so and the part is
 * closed: the page stays, and opening it again tries again.
 */
export function OpenedPart<Props extends object>({ load, of, onFailed }: OpenedPartProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props>>();
  const giveUp = useEffectEvent(() => {
    showNote('This could not be opened. Check your connection and try again.');
    onFailed();
  });
  useEffect(() => {
    let isGone = false;
    load().then(
      (loaded) => isGone || setPart(() => loaded.default),
      (error: unknown) => {
        console.error(error);
        if (!isGone) giveUp();
      },
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  return Part ? <Part {...of} /> : null;
}

/** Stands in place of a part of a page whose code could not be loaded. */
export const PartFault = () => (
  <div role="alert">
    <Help>This part could not be loaded. Reload the page to try again.</Help>
  </div>
);
