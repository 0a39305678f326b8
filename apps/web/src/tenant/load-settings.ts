import type { TenantSettings } from '@sparechange/contract';

const timeoutMs = 120_000;

/** The two failures of loading, with a bundler's names. */
export class SettingsError extends Error {
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
