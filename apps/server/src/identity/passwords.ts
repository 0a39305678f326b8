import { hash, verify } from '@node-rs/argon2';
import { Refused } from './refusal.ts';
import { makeSecret } from './secret.ts';

/** Longer passwords are refused, never cut. */
const longestPassword = 4096;

/** OWASP's first choice for argon2id: some 10 ms and 19 MiB. Stored hashes carry the parameters they were made with. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Normalises characters, however a keyboard composed them. */
const normal = (password: string): string => password.normalize('NFKC');

/** argon2id of the whole password. */
export const hashPassword = (password: string): Promise<string> => hash(normal(password), cost);

/** A hash to compare against where there is no user, so that an unknown address takes as long as a wrong password. */
const nobodys = hashPassword(makeSecret(16));

/** Checks a password; without a hash, false after equal work. */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const isTooLong = password.length > longestPassword;
  const matches = await verify(passwordHash ?? (await nobodys), isTooLong ? '' : normal(password));
  return matches && passwordHash !== undefined && !isTooLong;
}

/** Passwords that guessers try first, where long enough. */
const commonest = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 0123456789 87654321
  987654321 123123123 12341234 11223344 147258369 123654789 789456123 1234qwer 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 zaq12wsx
  zaq1zaq1 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 asdfghjk asdfghjkl asdf1234 zxcvbnm1 abcd1234 abc12345 abcdefgh
  a1b2c3d4 aa123456 a1234567 iloveyou iloveyou1 sunshine sunshine1 princess princess1 football football1 baseball basketball
  superman batman123 starwars pokemon1 minecraft trustno1 welcome1 welcome123 whatever computer internet letmein1 letmein123
  monkey123 dragon123 master123 shadow123 charlie1 michelle jennifer jessica1 samantha michael1 daniel123 liverpool chelsea1
  arsenal1 australia australia1 melbourne brisbane sydney123 changeme changeme1 administrator admin123 admin1234 secret123
  test1234 testtest hello123 helloworld lovely123 freedom1 mustang1 corvette mercedes swordfish blink182 chocolate butterfly
  sparechange sparechange1`.split(/\s+/),
);

/** Finds a password among the commonest, however it is capitalised; one repeated character counts as known too. */
export const isCommonPassword = (password: string): boolean =>
  commonest.has(password.toLowerCase()) || /^(.)\1*$/su.test(password);

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

/** The policy in production (docs/decisions/identity.md#passwords). */
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
