import type { TenantSettings } from '@sparechange/contract';
import { getTenant } from './current.ts';

/** Tenant "aca" sees nothing of savings. */
export const hasSavings = ({ tenant }: Pick<TenantSettings, 'tenant'> = getTenant()): boolean => tenant !== 'aca';
