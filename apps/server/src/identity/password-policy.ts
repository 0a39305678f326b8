import { isCommonPassword } from './common-passwords.ts';
import { longestPassword } from './passwords.ts';
import { Refused } from './refusal.ts';

/** The requirements of a new password. `enforced` is Google's enforcementState. */
export interface PasswordPolicy {
  minLength: number;
  maxLength: number;
  lowercase: boolean;
  uppercase: boolean;
  numeric: boolean;
  nonAlphanumeric: boolean;
  enforced: boolean;
  /** Minimum length, enforced even when the other rules are not. */
  shortest: number;
}

/** The provider's own default (at least 6 characters). */
export const defaultPolicy: PasswordPolicy = {
  minLength: 6,
  maxLength: longestPassword,
  lowercase: false,
  uppercase: false,
  numeric: false,
  nonAlphanumeric: false,
  enforced: false,
  shortest: 6,
};

/** The policy in production (docs/decisions/0058). */
export const productionPolicy: PasswordPolicy = { ...defaultPolicy, minLength: 8, shortest: 8, enforced: true };
const nonAlphanumerics = [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~'];

/** Returns the policy as the SDK's validatePassword reads it. */
export function presentPolicy(policy: PasswordPolicy) {
  return {
    customStrengthOptions: {
      minPasswordLength: policy.minLength,
      maxPasswordLength: policy.maxLength,
      ...(policy.lowercase ? { containsLowercaseCharacter: true } : {}),
      ...(policy.uppercase ? { containsUppercaseCharacter: true } : {}),
      ...(policy.numeric ? { containsNumericCharacter: true } : {}),
      ...(policy.nonAlphanumeric ? { containsNonAlphanumericCharacter: true } : {}),
    },
    allowedNonAlphanumericCharacters: nonAlphanumerics,
    enforcementState: policy.enforced ? 'ENFORCE' : 'OFF',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  };
}

/** Returns the requirements a password misses, in Google's words. */
export function missingRequirements(policy: PasswordPolicy, password: string): string[] {
  const most = Math.min(policy.maxLength, longestPassword);
  const rules: [boolean, string][] = [
    [policy.lowercase && !/[a-z]/.test(password), 'Password must contain a lowercase character'],
    [policy.uppercase && !/[A-Z]/.test(password), 'Password must contain an uppercase character'],
    [policy.numeric && !/[0-9]/.test(password), 'Password must contain a numeric character'],
    [
      policy.nonAlphanumeric && !nonAlphanumerics.some((character) => password.includes(character)),
      'Password must contain a non-alphanumeric character',
    ],
    [password.length < policy.minLength, `Password must contain at least ${policy.minLength} characters`],
    [password.length > most, `Password may contain at most ${most} characters`],
  ];
  return rules.filter(([isMissing]) => isMissing).map(([, sentence]) => sentence);
}

/** Throws WEAK_PASSWORD or PASSWORD_DOES_NOT_MEET_REQUIREMENTS if the policy forbids the password. */
export function refuseWeakPassword(policy: PasswordPolicy, password: string): void {
  const { shortest } = policy;
  if (password.length < shortest) {
    throw new Refused(`WEAK_PASSWORD : Password should be at least ${shortest} characters`);
  }
  if (isCommonPassword(password)) throw new Refused('WEAK_PASSWORD : Password is one of the most commonly used');
  const missing = missingRequirements(policy.enforced ? policy : defaultPolicy, password);
  if (missing.length === 0) return;
  throw new Refused(`PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [${missing.join(', ')}]`);
}
