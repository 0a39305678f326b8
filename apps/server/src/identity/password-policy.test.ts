import { expect, test } from 'vitest';
import {
  defaultPolicy,
  missingRequirements,
  presentPolicy,
  productionPolicy,
  refuseWeakPassword,
} from './passwords.ts';

const strict = {
  ...defaultPolicy,
  minLength: 8,
  lowercase: true,
  uppercase: true,
  numeric: true,
  nonAlphanumeric: true,
};

test('six characters are enough by default, five are weak', () => {
  expect(() => refuseWeakPassword(defaultPolicy, '123456')).not.toThrow();
  expect(() => refuseWeakPassword(defaultPolicy, '12345')).toThrow(
    'WEAK_PASSWORD : Password should be at least 6 characters',
  );
});

test('a password is never too long to be refused as too long', () => {
  expect(() => refuseWeakPassword(defaultPolicy, 'xy'.repeat(2048))).not.toThrow();
  const tooLong = /^PASSWORD_DOES_NOT_MEET_REQUIREMENTS : .*at most 4096 characters/;
  expect(() => refuseWeakPassword(defaultPolicy, 'xyz'.repeat(1366))).toThrow(tooLong);
  expect(missingRequirements({ ...defaultPolicy, maxLength: 9999 }, 'x'.repeat(4097))).toHaveLength(1);
});

test('each rule is named when it is not met', () => {
  expect(missingRequirements(strict, '')).toHaveLength(5);
  expect(missingRequirements(strict, 'Abcdef.1')).toEqual([]);
  expect(missingRequirements(strict, 'abcdef.1')).toEqual(['Password must contain an uppercase character']);
});

test('rules that are not enforced are listed and not kept', () => {
  expect(() => refuseWeakPassword(strict, 'abcdef')).not.toThrow();
  expect(() => refuseWeakPassword({ ...strict, enforced: true }, 'abcdef')).toThrow(/numeric/);
  expect(presentPolicy(strict)).toMatchObject({ enforcementState: 'OFF', schemaVersion: 1 });
});

test('production asks for eight characters', () => {
  expect(() => refuseWeakPassword(productionPolicy, '1234567')).toThrow(
    'WEAK_PASSWORD : Password should be at least 8 characters',
  );
  expect(() => refuseWeakPassword(productionPolicy, 'a fine p')).not.toThrow();
  expect(presentPolicy(productionPolicy)).toMatchObject({ customStrengthOptions: { minPasswordLength: 8 } });
});

test.each(['password', 'Password1', '12345678', 'qwertyuiop', 'aaaaaa', '\0'.repeat(6)])(
  '"%s" is too common',
  (password) => {
    expect(() => refuseWeakPassword(defaultPolicy, password)).toThrow(/^WEAK_PASSWORD : /);
  },
);
