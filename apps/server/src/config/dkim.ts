import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

type Given = Record<string, string | undefined>;

/** Receivers ignore a signature of fewer bits (RFC 8301). */
const shortestKeyBits = 1024;

/** Reads an RSA key, whose line ends may be written as `\n`, for signing emails. Throws where it is invalid. */
function readKey(text: string): { pem: string; bits: number } {
  const key = createPrivateKey(text.replaceAll('\\n', '\n'));
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('The key that signs mails is not an RSA key.');
  return {
    pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    bits: key.asymmetricKeyDetails?.modulusLength ?? 0,
  };
}

const name = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

export const dkimVariables = {
  /** The three settings that sign emails by DKIM belong together. */
  SMTP_DKIM_DOMAIN: z.string().max(253).regex(name, 'must look like giving.example').optional(),
  SMTP_DKIM_SELECTOR: z.string().max(63).regex(name, 'must look like s2026').optional(),
  SMTP_DKIM_KEY: z
    .string()
    .transform((text, problem) => {
      try {
        const { pem, bits } = readKey(text);
        if (bits >= shortestKeyBits) return pem;
        problem.addIssue({ code: 'custom', message: `is a key of less than ${shortestKeyBits} bits` });
      } catch {
        // The error might repeat the text.
        problem.addIssue({ code: 'custom', message: 'must be a private RSA key as PEM' });
      }
      return z.NEVER;
    })
    .optional(),
};

/** Returns the missing settings among those that sign emails; all are given or none. */
export function problemsOfDkim(given: Given): string[] {
  const names = Object.keys(dkimVariables);
  const missing = names.filter((name) => !given[name]);
  if (missing.length === 0 || missing.length === names.length) return [];
  return [`${missing.join(' and ')} is not set: SMTP_DKIM_… belong together`];
}

/** Returns how emails are signed; undefined where they are not. */
export const dkimSettings = (env: z.infer<z.ZodObject<typeof dkimVariables>>) =>
  env.SMTP_DKIM_DOMAIN && env.SMTP_DKIM_SELECTOR && env.SMTP_DKIM_KEY
    ? { domain: env.SMTP_DKIM_DOMAIN, selector: env.SMTP_DKIM_SELECTOR, key: env.SMTP_DKIM_KEY }
    : undefined;
