import type { TenantSettings } from '@sparechange/contract';

const sydneyDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' });

/** Returns true from `endsOn`, a Sydney day (docs/rules.md#end-of-a-campaign). */
export function hasEnded({ endsOn }: Pick<TenantSettings, 'endsOn'>, now: Date): boolean {
  return endsOn !== undefined && sydneyDay.format(now) >= endsOn;
}
