import type { Asked } from '@sparechange/contract/console';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { instantInWords } from '../words.ts';

/** Says that an act waits for a second person. */
export const WaitsForApproval = ({ asked: { expiresAt } }: { asked: Asked }) => (
  <Notice kind="information">
    Nothing has changed yet: another person has to agree, under Today, until {instantInWords(expiresAt)}.
  </Notice>
);
