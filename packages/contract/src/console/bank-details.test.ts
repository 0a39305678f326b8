import { expect, test } from 'vitest';
import { ClubAccountName, ClubAccountNumber } from './bank-details.ts';

test.each(['1234', '000012345', '987654321'])('%s is an account number', (number) => {
  expect(ClubAccountNumber.safeParse(number).success).toBe(true);
});

test.each(['123', '1234567890', '0000', '000000000', '12a4'])('%s is none', (number) => {
  expect(ClubAccountNumber.safeParse(number).success).toBe(false);
});

test.each(['St Kilda Surf & Swim (Juniors) Inc.', 'Österreichischer Verein 1899', '7/9 Club'])(
  '%s is a name',
  (name) => {
    expect(ClubAccountName.safeParse(name).success).toBe(true);
  },
);

test.each(['', '   ', '---', '😀 Rovers'])('"%s" is no name of an account', (name) => {
  expect(ClubAccountName.safeParse(name).success).toBe(false);
});
