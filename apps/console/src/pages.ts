import type { ConsoleOperation } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { type ComponentType, lazy } from 'react';

/** Headings of the navigation, in its order; pages of no group stand below them. */
export const groups = ['Money', 'Supporters and clubs', 'Your club', 'Platform'] as const;

/**
 * A page of the console. It is in the navigation only of people who may make its first call; a page whose call names a
 * club is for treasurers.
 */
export interface Page {
  path: string;
  title: string;
  group?: (typeof groups)[number];
  needs: ConsoleOperation;
  Page: ComponentType;
}

/** Every page, in the order of the navigation (docs/console.md says how to add one). */
export const pages: readonly Page[] = [
  {
    path: '/today',
    title: 'Today',
    group: 'Money',
    needs: contract.retrieveToday,
    Page: lazy(() => import('./pages/today.tsx')),
  },
  {
    path: '/runs',
    title: 'Runs',
    group: 'Money',
    needs: contract.listRuns,
    Page: lazy(() => import('./pages/runs.tsx')),
  },
  {
    path: '/payments',
    title: 'Payments',
    group: 'Money',
    needs: contract.listPayments,
    Page: lazy(() => import('./pages/payments.tsx')),
  },
  {
    path: '/supporters',
    title: 'Supporters',
    group: 'Supporters and clubs',
    needs: contract.listSupporters,
    Page: lazy(() => import('./pages/supporters.tsx')),
  },
  {
    path: '/clubs',
    title: 'Clubs',
    group: 'Supporters and clubs',
    needs: contract.listClubs,
    Page: lazy(() => import('./pages/clubs.tsx')),
  },
  {
    path: '/reconciliation',
    title: 'Reconciliation',
    group: 'Money',
    needs: contract.retrieveTrustBalance,
    Page: lazy(() => import('./pages/reconciliation.tsx')),
  },
  {
    path: '/bank-files',
    title: 'Bank files',
    group: 'Money',
    needs: contract.retrieveBankFileState,
    Page: lazy(() => import('./pages/bank-files.tsx')),
  },
  {
    path: '/tenants',
    title: 'Tenants',
    group: 'Platform',
    needs: contract.listTenants,
    Page: lazy(() => import('./pages/tenants.tsx')),
  },
  {
    path: '/mail',
    title: 'Mail',
    group: 'Platform',
    needs: contract.listMails,
    Page: lazy(() => import('./pages/mail.tsx')),
  },
  {
    path: '/people',
    title: 'People',
    group: 'Platform',
    needs: contract.listPeople,
    Page: lazy(() => import('./pages/people.tsx')),
  },
  {
    path: '/jobs',
    title: 'Jobs',
    group: 'Platform',
    needs: contract.listFailedJobs,
    Page: lazy(() => import('./pages/jobs.tsx')),
  },
  {
    path: '/audit-log',
    title: 'Audit log',
    group: 'Platform',
    needs: contract.listAuditEntries,
    Page: lazy(() => import('./pages/audit-log.tsx')),
  },
  {
    path: '/developers',
    title: 'Developers',
    group: 'Platform',
    needs: contract.listApiKeys,
    Page: lazy(() => import('./pages/developers.tsx')),
  },
  {
    path: '/your-club',
    title: 'Your club',
    group: 'Your club',
    needs: contract.retrieveClubFigures,
    Page: lazy(() => import('./pages/your-club.tsx')),
  },
  {
    path: '/payouts',
    title: 'Payouts',
    group: 'Your club',
    needs: contract.listClubPayouts,
    Page: lazy(() => import('./pages/payouts.tsx')),
  },
  {
    path: '/poster',
    title: 'Link and poster',
    group: 'Your club',
    needs: contract.retrieveClubLink,
    Page: lazy(() => import('./pages/poster.tsx')),
  },
  {
    path: '/contact',
    title: 'Contact and mails',
    group: 'Your club',
    needs: contract.retrieveClubContact,
    Page: lazy(() => import('./pages/contact.tsx')),
  },
  {
    path: '/sign-in',
    title: 'Your sign-in',
    needs: contract.retrieveSignIn,
    Page: lazy(() => import('./pages/own-sign-in.tsx')),
  },
];
