import { z } from 'zod';
import { text } from '../text.ts';
import { consoleOperation, exampleId, freshId } from './operation.ts';
import { QrCode } from './qr-code.ts';
import { Role } from './roles.ts';

const email = text(254).trim().toLowerCase().pipe(z.email('Please enter an email address'));
const secretText = (max: number) => text(max).min(1);

/** A person of the organisation or a club, signed in. */
export const Operator = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  roles: z.array(Role),
  clubs: z.array(z.object({ id: z.uuid(), name: z.string() })),
  isByLink: z.boolean().describe('came by a mailed link alone'),
  hasSignIn: z.boolean().describe('has a passkey or a password with a code'),
  isConfirmed: z.boolean().describe('gave the passkey or code within the last five minutes'),
});
export type Operator = z.infer<typeof Operator>;

export const retrieveSession = consoleOperation({
  name: 'retrieveSession',
  method: 'GET',
  path: '/session',
  allowed: 'anyone',
  readsOnly: true,
  input: z.object({}),
  output: z.object({
    operator: Operator.nullable(),
    singleSignOn: z.string().nullable().describe("the name of the organisation's own sign-in"),
  }),
});

const challengeId = z.uuid();
/** Options and answers of a passkey, as the browser's own calls define them. */
const Options = z.record(z.string(), z.unknown());
const Credential = z.looseObject({
  id: secretText(1_400),
  rawId: secretText(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
});
const asserted = Credential.extend({
  response: z.looseObject({
    clientDataJSON: secretText(8_000),
    authenticatorData: secretText(8_000),
    signature: secretText(8_000),
    userHandle: text(200).optional(),
  }),
});
const attested = Credential.extend({
  response: z.looseObject({
    clientDataJSON: secretText(8_000),
    attestationObject: secretText(40_000),
    transports: z.array(text(40)).max(10).optional(),
  }),
});

const exampleCredential = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x', attestationObject: 'x' },
} as const;

export const beginPasskeySignIn = consoleOperation({
  name: 'beginPasskeySignIn',
  method: 'POST',
  path: '/session/passkey/begin',
  allowed: 'anyone',
  input: z.object({}),
  output: z.object({ challengeId, options: Options }),
});

export const finishPasskeySignIn = consoleOperation({
  name: 'finishPasskeySignIn',
  method: 'POST',
  path: '/session/passkey',
  allowed: 'anyone',
  input: z.object({ challengeId, credential: asserted }),
  example: { challengeId: exampleId, credential: exampleCredential },
  output: z.object({ operator: Operator }),
});

/** Begins the organisation's own sign-in; fresh, it asks for the credentials again. */
export const beginSingleSignOn = consoleOperation({
  name: 'beginSingleSignOn',
  method: 'POST',
  path: '/session/openid/begin',
  allowed: 'anyone',
  input: z.object({ isFresh: z.boolean().default(false) }),
  output: z.object({ challengeId, url: z.url() }),
});

/** Signs in by what the organisation's sign-in put into the address. */
export const finishSingleSignOn = consoleOperation({
  name: 'finishSingleSignOn',
  method: 'POST',
  path: '/session/openid',
  allowed: 'anyone',
  input: z.object({ challengeId, query: secretText(8_000) }),
  example: { challengeId: exampleId, query: '?code=x&state=y' },
  output: z.object({ operator: Operator }),
});

const code = text(10).regex(/^\d{6}$/, 'Please enter the 6 digits');

export const signInWithPassword = consoleOperation({
  name: 'signInWithPassword',
  method: 'POST',
  path: '/session/password',
  allowed: 'anyone',
  input: z.object({ email, password: text(4_096).min(1, 'Please enter your password'), code }),
  example: { email: `${freshId}@example.com`, password: 'not the one', code: '000000' },
  output: z.object({ operator: Operator }),
});

export const requestSignInLink = consoleOperation({
  name: 'requestSignInLink',
  method: 'POST',
  path: '/session/mailed-link',
  allowed: 'anyone',
  input: z.object({ email }),
  example: { email: `${freshId}@example.com` },
  output: z.object({}),
});

export const signInWithLink = consoleOperation({
  name: 'signInWithLink',
  method: 'POST',
  path: '/session/link',
  allowed: 'anyone',
  input: z.object({ token: secretText(200) }),
  example: { token: 'unknown' },
  output: z.object({ operator: Operator }),
});

/** Confirms again who is there, by the code of their authenticator; a passkey does so by signing in again. */
export const confirmWithCode = consoleOperation({
  name: 'confirmWithCode',
  method: 'POST',
  path: '/session/confirm',
  allowed: 'signed_in',
  words: 'Confirmed with a code',
  input: z.object({ code }),
  example: { code: '000000' },
  output: z.object({ operator: Operator }),
});

export const signOut = consoleOperation({
  name: 'signOut',
  method: 'POST',
  path: '/session/end',
  allowed: 'signed_in',
  words: 'Signed out',
  input: z.object({}),
  output: z.object({}),
});

export const signOutEverywhere = consoleOperation({
  name: 'signOutEverywhere',
  method: 'POST',
  path: '/session/end-all',
  allowed: 'signed_in',
  words: 'Signed out everywhere',
  input: z.object({}),
  output: z.object({}),
});

export const retrieveSignIn = consoleOperation({
  name: 'retrieveSignIn',
  method: 'GET',
  path: '/sign-in',
  allowed: 'signed_in',
  readsOnly: true,
  input: z.object({}),
  output: z.object({
    hasPassword: z.boolean(),
    sessions: z.number(),
    passkeys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        addedAt: z.iso.datetime(),
        lastUsedAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
});

export const beginPasskey = consoleOperation({
  name: 'beginPasskey',
  readsOnly: true,
  method: 'POST',
  path: '/sign-in/passkeys/begin',
  allowed: 'signed_in',
  isDangerous: true,
  input: z.object({}),
  output: z.object({ challengeId, options: Options }),
});

export const addPasskey = consoleOperation({
  name: 'addPasskey',
  method: 'POST',
  path: '/sign-in/passkeys',
  allowed: 'signed_in',
  isDangerous: true,
  words: 'Added a passkey',
  input: z.object({ challengeId, name: text(60).trim().min(1), credential: attested }),
  example: { challengeId: exampleId, name: 'Phone', credential: exampleCredential },
  output: z.object({ operator: Operator }),
});

export const removePasskey = consoleOperation({
  name: 'removePasskey',
  method: 'POST',
  path: '/sign-in/passkeys/remove',
  allowed: 'signed_in',
  isDangerous: true,
  words: 'Removed a passkey',
  input: z.object({ id: secretText(1_400) }),
  example: { id: 'unknown' },
  output: z.object({}),
});

export const beginPassword = consoleOperation({
  name: 'beginPassword',
  readsOnly: true,
  method: 'POST',
  path: '/sign-in/password/begin',
  allowed: 'signed_in',
  isDangerous: true,
  input: z.object({}),
  output: z.object({
    challengeId,
    secret: z.string(),
    address: z.string().describe('otpauth address for a phone'),
    qr: QrCode,
  }),
});

/** The fewest characters of a password. */
export const shortestPassword = 10;

export const setPassword = consoleOperation({
  name: 'setPassword',
  method: 'POST',
  path: '/sign-in/password',
  allowed: 'signed_in',
  isDangerous: true,
  words: 'Set a password and an authenticator',
  input: z.object({
    challengeId,
    password: text(4_096).min(shortestPassword, `Please use at least ${shortestPassword} characters`),
    code,
  }),
  example: { challengeId: exampleId, password: 'a long password', code: '000000' },
  output: z.object({ operator: Operator }),
});
