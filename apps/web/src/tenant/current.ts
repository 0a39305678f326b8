import type { BrowserConfig, TenantSettings } from '@sparechange/contract';

/** The facts of a page before it shows anything: the server's address and the brand. */
export interface Start {
  config: BrowserConfig;
  tenantKey: string;
  settings: TenantSettings;
  /** The organisation's own page could not be loaded and the default brand stands in for it. */
  isStandIn: boolean;
}

let start: Start | undefined;

export function setStart(value: Start): void {
  start = value;
}

/** Set once by main.tsx before the first screen, so screens and calls need not wait for it. */
export function getStart(): Start {
  if (!start) throw new Error('The page has not started');
  return start;
}

export const getTenant = (): TenantSettings => getStart().settings;

/** The hyphen form of the tenant's identifier (docs/rules.md#two-spellings-of-a-tenant). */
export const getTenantA = (): string => getTenant().tenant.replaceAll('_', '-');

/** Some rules treat `default` and the product's main tenant alike (docs/rules.md#own-brands). */
export function isOwnBrand({ tenantKey, config }: Start): boolean {
  return tenantKey === 'default' || tenantKey === config.mainTenant;
}
