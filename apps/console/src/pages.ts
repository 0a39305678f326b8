import type { ConsoleOperation } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { type ComponentType, lazy } from 'react';

/** A page of the console. It is in the navigation of those who may make its first call, and nobody else's. */
export interface Page {
  path: string;
  title: string;
  needs: ConsoleOperation;
  Page: ComponentType;
}

/** Every page, in the order of the navigation (docs/console.md says how to add one). */
export const pages: readonly Page[] = [
  {
    path: '/people',
    title: 'People',
    needs: contract.listPeople,
    Page: lazy(() => import('./pages/people.tsx')),
  },
  {
    path: '/audit-log',
    title: 'Audit log',
    needs: contract.listAuditEntries,
    Page: lazy(() => import('./pages/audit-log.tsx')),
  },
  {
    path: '/sign-in',
    title: 'Your sign-in',
    needs: contract.retrieveSignIn,
    Page: lazy(() => import('./pages/own-sign-in.tsx')),
  },
];
