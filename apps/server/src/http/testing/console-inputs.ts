import { randomUUID } from 'node:crypto';

const id = randomUUID();
const challengeId = id;
const credential = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} };
const answer = { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x', attestationObject: 'x' };

/** An input of each operation of the console that takes one. */
export const consoleInputs: Record<string, () => Record<string, unknown>> = {
  finishPasskeySignIn: () => ({ challengeId, credential: { ...credential, response: answer } }),
  signInWithPassword: () => ({ email: `${randomUUID()}@example.com`, password: 'not the one', code: '000000' }),
  requestSignInLink: () => ({ email: `${randomUUID()}@example.com` }),
  signInWithLink: () => ({ token: 'unknown' }),
  confirmWithCode: () => ({ code: '000000' }),
  addPasskey: () => ({ challengeId, name: 'Phone', credential: { ...credential, response: answer } }),
  removePasskey: () => ({ id: 'unknown' }),
  setPassword: () => ({ challengeId, password: 'a long password', code: '000000' }),
  invitePerson: () => ({ email: `${randomUUID()}@example.com`, name: 'Sam', roles: ['viewer'] }),
  inviteAgain: () => ({ personId: id }),
  setRoles: () => ({ personId: id, roles: ['viewer'] }),
  recoverPerson: () => ({ personId: id }),
  removePerson: () => ({ personId: id }),
  findClubs: () => ({ search: 'a' }),
};
