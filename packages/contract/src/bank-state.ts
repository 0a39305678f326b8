import { z } from 'zod';

/**
 * What goes with somebody to the bank and comes back in the address as `state`: the tenant they set out from, and
 * whether a consent is being renewed. Whoever opens the address may have made it up, so it decides nothing but the page.
 */
export interface BankState {
  tenantKey: string;
  isRenewal: boolean;
}

const renewal = '.renewal';
const Tenant = z.string().regex(/^[a-z0-9-]{1,63}$/);

export const bankState = ({ tenantKey, isRenewal }: BankState): string => `${tenantKey}${isRenewal ? renewal : ''}`;

/** Undefined where it is not one of ours. */
export function readBankState(state: string | null): BankState | undefined {
  const isRenewal = state?.endsWith(renewal) === true;
  const tenantKey = Tenant.safeParse(isRenewal ? state.slice(0, -renewal.length) : state).data;
  return tenantKey === undefined ? undefined : { tenantKey, isRenewal };
}
