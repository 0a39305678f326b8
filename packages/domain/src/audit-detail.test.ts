import { expect, test } from 'vitest';
import { auditDetail } from './audit-detail.ts';

test.each([
  ['step', 200, '$2.00'],
  ['limit', 750, '$7.50'],
  ['limit', '200', '200'],
  ['floor', 50_00, '$50.00'],
  ['savings', 217, '$2.17'],
  ['cents', 435, '$4.35'],
  ['amountCents', -435, '-$4.35'],
  ['accounts', 200, '200'],
  ['step', 'two', 'two'],
  ['cents', '435', '$4.35'],
  ['amount', 30_00, '$30.00'],
  ['to', 'operator_funds', 'operator funds'],
  ['account', 'XXXXXXXXXount', 'trust account'],
  ['account', 'XXXX5678', 'XXXX5678'],
  ['on', true, 'true'],
])('%s %j reads %s', (name, value, words) => expect(auditDetail(name, value)).toBe(words));
