import type { ConsoleOperation } from '@sparechange/contract/console';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '#session/use-may.ts';

/** Links to a page for people who may open it. */
export const See = ({ page, needs, children }: { page: string; needs: ConsoleOperation; children: ReactNode }) =>
  useMay(needs) && <Link to={page}>{children}</Link>;
