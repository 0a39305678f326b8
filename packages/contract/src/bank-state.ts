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
const tenantForm = /^[a-z0-9-]{1,63}$/;
/** 128 bits: the only part this long without a dot. */
export const nonceForm = /^[A-Za-z0-9_-]{22}$/;

export const bankState = ({ tenantKey, isRenewal, nonce }: BankState): string =>
  [tenantKey, ...(isRenewal ? [renewal] : []), ...(nonce ? [nonce] : [])].join('.');

/** Reads a state; undefined if it is none of ours. */
export function readBankState(state: string | null): BankState | undefined {
  const [tenantKey = '', ...rest] = (state ?? '').split('.');
  if (!tenantForm.test(tenantKey)) return undefined;
  const isRenewal = rest[0] === renewal;
  const [nonce, ...more] = isRenewal ? rest.slice(1) : rest;
  if (more.length > 0 || (nonce !== undefined && !nonceForm.test(nonce))) return undefined;
  return { tenantKey, isRenewal, ...(nonce && { nonce }) };
}
