import { getStart } from '#tenant/current.ts';
import { Notice } from '#ui/notice.tsx';

/** Says that the default brand stands in for one that could not be loaded. */
export const StandInNotice = () =>
  getStart().isStandIn && (
    <Notice kind="information">
      Your organisation's page could not be loaded, so you see our own. Everything works as usual.
    </Notice>
  );
