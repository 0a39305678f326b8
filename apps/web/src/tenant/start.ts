import type { BrowserConfig, TenantSettings } from '@sparechange/contract';
import type { Start } from './current.ts';
import { hostTenant } from './host.ts';
import { loadSettings } from './load-settings.ts';

/** The start in the page: its host's tenant or `default`. */
interface PageStart {
  config: BrowserConfig;
  tenantKey: string;
  settings: TenantSettings | null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * The server that wrote the block checked it against the contract's schemas at its own start. Checking it again here
 * would put the schema library (20 kB) before the first paint, so the page looks at the outline only.
 */
const isPageStart = (value: unknown): value is PageStart =>
  isObject(value) && isObject(value.config) && typeof value.tenantKey === 'string' && 'settings' in value;

export function readPageStart(page: Document): PageStart | undefined {
  const text = page.getElementById('start')?.textContent;
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPageStart(value) ? value : undefined;
  } catch {
    return undefined; // a page without its block still starts, from /config.json
  }
}

/** Reads server and brand from the page, or fetches them. */
export async function findStart(page: Document, host: string): Promise<Start> {
  const written = readPageStart(page);
  const config = written?.config ?? (await fetchConfig());
  const tenantKey = hostTenant(host, config.tenantRule, config.productDomain);
  if (written?.settings && written.tenantKey === tenantKey) {
    return { config, tenantKey, settings: written.settings, isStandIn: false };
  }
  try {
    return { config, tenantKey, settings: await loadSettings(tenantKey), isStandIn: false };
  } catch (error) {
    console.error(error);
    const settings = written?.settings ?? (await loadSettings('default'));
    return { config, tenantKey: 'default', settings, isStandIn: true };
  }
}

async function fetchConfig(): Promise<BrowserConfig> {
  const [{ BrowserConfig }, answer] = await Promise.all([import('./start-schemas.ts'), fetch('/config.json')]);
  return BrowserConfig.parse(await answer.json());
}
