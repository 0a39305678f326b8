/**
 * Exports the schemas that starting needs, for a dynamic import. Importing the contract's index dynamically would defeat
 * tree shaking: every screen would load all operations.
 */
export { BrowserConfig, TenantSettings } from '@sparechange/contract';
