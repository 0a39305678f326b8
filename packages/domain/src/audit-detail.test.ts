import { expect, test } from 'vitest';
import { auditDetail } from './audit-detail.ts';

test.each([
  ['step', 200, '$2.00'],
  ['limit', 750, '$7.50'],
  ['floor', 50_00, '$50.00'],
  ['savings', 217, '$2.17'],
  ['cents', 435, '$4.35'],
  ['amountCents', -435, '-$4.35'],
  ['accounts', 200, '200'],
  ['step', 'two', 'two'],
  ['on', true, 'true'],
])('%s %j reads %s', (name, value, words) => expect(auditDetail(name, value)).toBe(words));
