import { expect, test } from 'vitest';
import { missingStep } from './use-onboarding-state.ts';

const account = { activeRoundUpsEnabled: false, activeDebitEnabled: false };
const tracked = { ...account, activeRoundUpsEnabled: true };
const debited = { ...account, activeDebitEnabled: true };
const connected = { isConsent: true, onboardingComplete: false };

test.each([
  ['no bank', { ...connected, isConsent: false }, [], 'bank'],
  ['no accounts at the bank', connected, [], 'round-up accounts'],
  ['no account tracked', connected, [account, debited], 'round-up accounts'],
  ['no account debited', connected, [tracked, account], 'funding account'],
  ['everything chosen', connected, [tracked, debited], undefined],
  ['an ended consent after onboarding', { isConsent: false, onboardingComplete: true }, [], undefined],
])('%s', (_, user, accounts, step) => {
  expect(missingStep(user, accounts)).toBe(step);
});
