import { expect, test } from 'vitest';
import { bankState, readBankState } from './bank-state.ts';

const nonce = 'q4mFv0nJ2bX8sT1yLwZ3eA';

test.each([
  { tenantKey: 'default', isRenewal: false },
  { tenantKey: 'riverside-rovers', isRenewal: true },
  { tenantKey: 'default', isRenewal: false, nonce },
  { tenantKey: 'riverside-rovers', isRenewal: true, nonce },
])('%j comes back as it went', (state) => {
  expect(readBankState(bankState(state))).toEqual(state);
});

test.each([null, '', '.', 'Default', 'default.', 'default.short', `default.${nonce}.${nonce}`, 'default.renewal.x'])(
  '%j is not one of ours',
  (state) => {
    expect(readBankState(state)).toBeUndefined();
  },
);
