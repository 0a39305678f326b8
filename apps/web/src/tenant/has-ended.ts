import type { TenantSettings } from '@sparechange/contract';

const sydneyDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' });

/** From the day `endsOn` nobody registers any more (docs/rules.md#end-of-a-campaign). The day is Sydney's. */
export function hasEnded({ endsOn }: Pick<TenantSettings, 'endsOn'>, now: Date): boolean {
  return endsOn !== undefined && sydneyDay.format(now) >= endsOn;
}
