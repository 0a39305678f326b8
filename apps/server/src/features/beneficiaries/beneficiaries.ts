import { bankDetailConsoleRoutes } from './bank-details/console-routes.ts';
import { bankDetailRoutes } from './bank-details/link-routes.ts';
import { clubRequestConsoleRoutes } from './club-requests/console-routes.ts';
import { clubRequestRoutes } from './club-requests/routes.ts';
import { clubConsoleRoutes } from './clubs/console-routes.ts';
import { contactRoutes } from './clubs/contact-routes.ts';
import { posterRoutes } from './clubs/poster-routes.ts';
import { clubRoutes } from './clubs/routes.ts';

/** Clubs, and the accounts that they are paid to. */
export const beneficiaries = {
  routes: [clubRoutes],
  publicRoutes: [bankDetailRoutes, clubRequestRoutes],
  consoleRoutes: [clubConsoleRoutes, contactRoutes, posterRoutes, bankDetailConsoleRoutes, clubRequestConsoleRoutes],
};
