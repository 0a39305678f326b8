import { z } from 'zod';
import { text } from './text.ts';

/**
 * The `state` of the way to the bank and back: the tenant they left, whether a consent is being renewed, and the nonce
 * by which their own session confirms the return. Anybody may have made up an address, so the first two choose nothing
 * but the page.
 */
export interface BankState {
  tenantKey: string;
  isRenewal: boolean;
  nonce?: string | undefined;
}

const renewal = 'renewal';
const Tenant = z.string().regex(/^[a-z0-9-]{1,63}$/);
/** 128 bits: the only part this long without a dot. */
export const BankNonce = text(22).regex(/^[A-Za-z0-9_-]{22}$/);

export const bankState = ({ tenantKey, isRenewal, nonce }: BankState): string =>
  [tenantKey, ...(isRenewal ? [renewal] : []), ...(nonce ? [nonce] : [])].join('.');

/** Reads a state; undefined if it is none of ours. */
export function readBankState(state: string | null): BankState | undefined {
  const [tenant, ...rest] = (state ?? '').split('.');
  const tenantKey = Tenant.safeParse(tenant).data;
  if (tenantKey === undefined) return undefined;
  const isRenewal = rest[0] === renewal;
  const [given, ...more] = isRenewal ? rest.slice(1) : rest;
  const nonce = BankNonce.safeParse(given).data;
  if (more.length > 0 || (given !== undefined && nonce === undefined)) return undefined;
  return { tenantKey, isRenewal, ...(nonce && { nonce }) };
}
