import { isCommonPassword } from '#api/identity-error.ts';
import { missingInPassword } from '#api/session.ts';
import { messages } from '../../messages.ts';

/** Gives work a new password; returns the identity provider's reason to refuse it, if there is one. */
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
