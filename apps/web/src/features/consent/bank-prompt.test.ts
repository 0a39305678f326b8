import { expect, test } from 'vitest';
import { bankPrompt } from './bank-prompt.ts';

test.each([
  ['no consent', { isConsent: false, onboardingComplete: false }, undefined, 'no bank connection'],
  ['consent without onboarding', { isConsent: true, onboardingComplete: false }, true, 'finish setting up'],
  ['no consent at the provider', { isConsent: true, onboardingComplete: true }, false, 'no bank connection'],
  ['all done, provider silent', { isConsent: true, onboardingComplete: true }, undefined, undefined],
  ['all done', { isConsent: true, onboardingComplete: true }, true, undefined],
])('%s', (_, user, activeConsents, prompt) => {
  expect(bankPrompt(user, activeConsents)).toBe(prompt);
});
