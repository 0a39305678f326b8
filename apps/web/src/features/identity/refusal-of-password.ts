import { isCommonPassword } from '#api/identity-error.ts';
import { missingInPassword } from '#api/session.ts';
import { messages } from '../../messages.ts';

/** Passes a new password to `work`; returns the identity provider's reason to refuse it, if any. */
export async function refusalOfPassword(password: string, work: () => Promise<void>): Promise<string | undefined> {
  const missing = await missingInPassword(password);
  if (missing.length > 0) return `Password needs ${missing.join(', ')}`;
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!isCommonPassword(error)) throw error;
    return messages.passwordTooCommon;
  }
}
