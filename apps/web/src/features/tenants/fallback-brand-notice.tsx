import { getStart } from '#tenant/current.ts';
import { Notice } from '#ui/notice.tsx';

/** Says that the default brand is shown in place of one that could not be loaded. */
export const FallbackBrandNotice = () =>
  getStart().isFallbackBrand && (
    <Notice kind="information">
      Your organisation's page could not be loaded, so you see our own. Everything works as usual.
    </Notice>
  );
