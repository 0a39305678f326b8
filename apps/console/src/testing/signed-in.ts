import type { Role } from '@sparechange/contract/console';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';

/** Signs somebody in before each test of a file, with only stubbed calls, and forgets everything after it. */
export function signedInAs(role: Role): void {
  beforeEach(() => {
    window.history.replaceState(null, '', '/'); // filters are read from the address, which another file may have left elsewhere
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('no network');
    });
    const person = { id: 'olive', roles: [role], clubs: [], isByLink: false };
    queryClient.setQueryData(sessionQuery.queryKey, person as never);
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
    vi.unstubAllGlobals();
  });
}
