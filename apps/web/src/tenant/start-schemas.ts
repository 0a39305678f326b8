/**
 * The schemas that starting needs, loaded on demand. The whole contract asked for on demand would be kept whole: every
 * screen would bring the operations of all.
 */
export { BrowserConfig, TenantSettings } from '@sparechange/contract';
