import { expect, test } from 'vitest';
import { bankState, readBankState } from './bank-state.ts';

const nonce = 'q4mFv0nJ2bX8sT1yLwZ3eA';

test.each([
  { tenantKey: 'default', isRenewal: false },
  { tenantKey: 'riverside-rovers', isRenewal: true },
  { tenantKey: 'default', isRenewal: false, nonce },
  { tenantKey: 'riverside-rovers', isRenewal: true, nonce },
])('a state is read back as it was written: %j', (state) => {
  expect(readBankState(bankState(state))).toEqual(state);
});

test.each([null, '', '.', 'Default', 'default.', 'default.short', `default.${nonce}.${nonce}`, 'default.renewal.x'])(
  'a state that we did not write is not read: %j',
  (state) => {
    expect(readBankState(state)).toBeUndefined();
  },
);
