import { identityKeysFolder, leadSeconds, rotateSigningKey } from '#identity/key-files.ts';
import { expireCode, makeResetCode } from '#identity/oob-codes.ts';
import { disableUser, enableUser } from '#identity/users.ts';
import { CommandProblem } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

/** Adds the embedded identity service's commands; Firebase has its console. */
export function identityCommands(identity: OpsCommand): void {
  identity
    .command('code <email>')
    .description('make a password-reset code, valid once and for an hour')
    .carryOut(async ({ db }, [email = '']) => {
      const code = await makeResetCode(db, email);
      if (!code) throw new CommandProblem(`There is no active user with the address ${email}.`);
      return { json: { code }, text: code };
    });

  identity
    .command('disable <email>')
    .description('disable a user')
    .carryOut(async ({ db }, [email = '']) => {
      if ((await disableUser(db, email)) === 'no such user')
        throw new CommandProblem(`There is no user with the address ${email}.`);
      return { json: { disabled: email }, text: `${email} is disabled` };
    });

  identity
    .command('enable <email>')
    .description('re-enable a disabled user')
    .carryOut(async ({ db }, [email = '']) => {
      if ((await enableUser(db, email)) === 'no such user')
        throw new CommandProblem(`There is no user with the address ${email}.`);
      return { json: { enabled: email }, text: `${email} may sign in again` };
    });

  identity
    .command('expire-code <code>')
    .description('expire the code of an emailed link')
    .carryOut(
      async ({ db }, [code = '']) => {
        if ((await expireCode(db, code)) === 'no such code') throw new CommandProblem('There is no such code.');
        return { json: { expired: true }, text: 'the code has expired' };
      },
      { secretWords: true },
    );

  identity
    .command('rotate-key')
    .description(`add a signing key, which takes over after ${leadSeconds / 60} minutes; nobody is signed out`)
    .carryOut(async ({ config }) => {
      if (config.firebase) throw new CommandProblem('The Firebase project signs, with keys of its own.');
      if (config.identityKeys)
        throw new CommandProblem('The keys are given by IDENTITY_KEYS: docs/going-live.md says how to replace them.');
      const isAdded = (await rotateSigningKey(identityKeysFolder(config.dataDir))) === 'added';
      const text = isAdded
        ? `a new key is published and takes over in ${leadSeconds / 60} minutes`
        : 'a new key waits for its turn already';
      return { json: { added: isAdded }, text };
    });
}
