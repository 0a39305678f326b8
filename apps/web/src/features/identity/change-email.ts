import { identityErrorCode } from '#api/identity-error.ts';
import { askForPassword } from '#api/recent-sign-in.ts';
import { requestEmailChange } from '#api/session.ts';

/** Mails a link to the new address. Asks for the password in place where the sign-in is not of the last minutes. */
export async function askToChangeEmail(newEmail: string): Promise<void> {
  try {
    await requestEmailChange(newEmail);
  } catch (error) {
    if (identityErrorCode(error) !== 'auth/requires-recent-login' || !(await askForPassword())) throw error;
    await requestEmailChange(newEmail);
  }
}
