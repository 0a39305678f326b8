import { getUser, type UserRecord } from '@sparechange/contract';
import { userOf } from './makers.ts';
import { answer, server } from './server.ts';
import { visit } from './visit.tsx';

/** Opens the dashboard of a supporter with these changes to the record. */
export function openDashboard(changes: Partial<UserRecord> = {}, tenantKey = 'default') {
  server.use(answer(getUser, userOf(changes)));
  return visit('/dashboard', { isSignedIn: true, tenantKey });
}
