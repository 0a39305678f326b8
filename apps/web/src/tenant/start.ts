import type { BrowserConfig, Landings, ListedClub, TenantSettings } from '@sparechange/contract';
import { type TenantTheme, tenantStyle } from '@sparechange/domain/tenant-colours';
import type { Start } from './current.ts';
import { hostTenant } from './host.ts';

/** The start in the page: its host's tenant or `default`. */
interface PageStart {
  config: BrowserConfig;
  tenantKey: string;
  settings: TenantSettings | null;
  landings?: Landings;
  clubs?: ListedClub[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * The server that wrote the block checked it against the contract's schemas at its own start. Checking it again here
 * would put the schema library (20 kB) before the first paint, so the page looks at the outline only.
 */
const isPageStart = (value: unknown): value is PageStart =>
  isObject(value) && isObject(value.config) && typeof value.tenantKey === 'string' && 'settings' in value;

function readPageStart(page: Document): PageStart | undefined {
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
    return { ...written, settings: written.settings, isFallbackBrand: false };
  }
  try {
    return { config, tenantKey, settings: await loadSettings(tenantKey), isFallbackBrand: false };
  } catch (error) {
    console.error(error);
    const settings = written?.settings ?? (await loadSettings('default'));
    return { config, tenantKey: 'default', settings, isFallbackBrand: true };
  }
}

async function fetchConfig(): Promise<BrowserConfig> {
  const [{ BrowserConfig }, answer] = await Promise.all([import('./start-schemas.ts'), fetch('/config.json')]);
  return BrowserConfig.parse(await answer.json());
}

const timeoutMs = 120_000;

/** The two failures of loading, with a bundler's names. */
class SettingsError extends Error {
  readonly code: 'MODULE_NOT_FOUND' | 'CHUNK_LOAD_FAILED';
  readonly type: 'missing' | 'timeout' | undefined;

  constructor(message: string, code: SettingsError['code'], type?: SettingsError['type']) {
    super(message);
    this.name = 'SettingsError';
    this.code = code;
    this.type = type;
  }
}

const chunkFailed = (key: string, type: 'missing' | 'timeout') =>
  new SettingsError(`Loading chunk ${key} failed. (${type})`, 'CHUNK_LOAD_FAILED', type);

/** One settings variant, loaded on demand. */
export async function loadSettings(key: string): Promise<TenantSettings> {
  const { TenantSettings } = await import('./start-schemas.ts');
  const answer = await fetchInTime(key);
  if (answer.status === 404) throw new SettingsError('Cannot find module', 'MODULE_NOT_FOUND');
  if (!answer.ok) throw chunkFailed(key, 'missing');
  return TenantSettings.parse(await answer.json());
}

async function fetchInTime(key: string): Promise<Response> {
  try {
    return await fetch(`/tenants/${encodeURIComponent(key)}.json`, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw chunkFailed(key, error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'missing');
  }
}

/** Applies a tenant's colours to the page. */
export function paintTenant(page: Document, settings: { theme: TenantTheme }): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(tenantStyle(settings));
  page.adoptedStyleSheets = [sheet];
}
