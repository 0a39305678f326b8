import { expect, test } from 'vitest';
import { clubAddress } from './remittance-kind.ts';

test.each([
  ['Sparechange <hello@sparechange.example>', 'hello+6fbe3b18@sparechange.example'],
  ['hello@sparechange.example', 'hello+6fbe3b18@sparechange.example'],
])('from %s a club gets %s', (mailFrom, address) =>
  expect(clubAddress(mailFrom, '6fbe3b18-3666-562e-b277-00b014db8ff3')).toBe(address),
);
