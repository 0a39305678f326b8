import type { BrowserConfig, Landings, ListedClub, TenantSettings } from '@sparechange/contract';
import { hostTenant } from './host.ts';

/** A page's first facts: the server's address and the brand. */
export interface Start {
  config: BrowserConfig;
  tenantKey: string;
  settings: TenantSettings;
  /** True if the default brand replaces one that failed loading. */
  isFallbackBrand: boolean;
  /** The address's public pages, where the server wrote them. */
  landings?: Landings | undefined;
  /** First clubs to choose from, where the server wrote them. */
  clubs?: ListedClub[] | undefined;
}

let start: Start | undefined;

export function setStart(value: Start): void {
  start = value;
}

/** Set by main.tsx before the first screen; throws before that. */
export function getStart(): Start {
  if (!start) throw new Error('The page has not started');
  return start;
}

/** Returns the host name's tenant, even where the default brand is shown because that tenant could not be loaded. */
export function tenantOfHost(host: string): string {
  const { tenantRule, productDomain } = getStart().config;
  return hostTenant(host, tenantRule, productDomain);
}

export const getTenant = (): TenantSettings => getStart().settings;

/** The hyphen form of the tenant's identifier (docs/rules.md#two-spellings-of-a-tenant). */
export const getTenantA = (): string => getTenant().tenant.replaceAll('_', '-');

/** Returns true for `default` and the main tenant (docs/rules.md#own-brands). */
export function isOwnBrand({ tenantKey, config }: Start): boolean {
  return tenantKey === 'default' || tenantKey === config.mainTenant;
}
