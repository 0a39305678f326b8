import type { Landings, ListedClub, TenantSettings } from '@sparechange/contract';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { store } from '#api/stored.ts';
import { setStart } from '#tenant/current.ts';
import { App } from '../app.tsx';
import { signedIn, uid } from './fake-session.ts';
import { aConfig, aTenant, cdrid } from './makers.ts';
import { calls } from './server.ts';

interface Visit {
  tenantKey?: string;
  settings?: Partial<TenantSettings>;
  /** The public pages that the server wrote. */
  landings?: Landings;
  /** The clubs to choose from that it wrote. */
  clubs?: ListedClub[];
  /** The navigation state on arrival. */
  state?: unknown;
  isSignedIn?: boolean;
  /** True if the browser still holds the supporter's id. */
  holdsCdrid?: boolean;
}

/** Opens the app at an address, as the browser would. */
export function visit(
  path: string,
  { tenantKey = 'default', settings = {}, landings, clubs, state, isSignedIn = false, holdsCdrid = true }: Visit = {},
) {
  setStart({
    config: aConfig(),
    tenantKey,
    settings: aTenant({ tenant: tenantKey.replaceAll('-', '_'), ...settings }),
    isFallbackBrand: false,
    landings,
    clubs,
  });
  if (isSignedIn) {
    signedIn();
    store('userId', uid);
    if (holdsCdrid) store('cdrid', cdrid);
  }
  calls.length = 0;
  window.history.replaceState({ usr: state, key: 'start', idx: 0 }, '', path);
  render(<App />);
  return userEvent.setup();
}
