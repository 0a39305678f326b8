import { expect, test } from 'vitest';
import { refusalCauseOf } from './translate.ts';

test.each([
  [
    'Authoriser contact (de86472c) is not a Zepto account holder and therefore must have a valid agreement in place before a Payment Request can be issued.',
    'mandate_cancelled',
  ],
  ["Amount exceeds the agreement's maximum of 25000 cents per payout", 'above_ceiling'],
  ['Your account is not permitted to collect', 'not_permitted'],
  ['Your bank account not found', 'not_permitted'],
  ['Your bank account is not configured for payments', 'not_permitted'],
  ['Your bank account not active', 'not_permitted'],
  ['Your bank account is blocked (compliance)', 'not_permitted'],
  ['Recipient contact (7) bank account has been removed', 'account_invalid'],
  ['Bank account branch code is invalid', 'account_invalid'],
  ['Your bank account has insufficient funds', 'other'],
  ['Description is in invalid format', 'other'],
])('“%s” is %s', (reason, cause) => {
  expect(refusalCauseOf(`Zepto answered 422 when asked to request a payment: ${reason}`)).toBe(cause);
});
