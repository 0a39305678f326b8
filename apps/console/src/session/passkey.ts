import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { Operator } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { call } from '#api/call.ts';

/**
 * Returns a function that runs once at a time: calls while it is under way, from the very press, share its result.
 * Devices keep one passkey of a person for a site, and a second one would replace the first.
 */
function oneAtATime<Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) {
  let underWay: Promise<Result> | undefined;
  return (...args: Args): Promise<Result> => {
    underWay ??= act(...args).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

export const signInWithPasskey = oneAtATime(async (): Promise<Operator> => {
  const { challengeId, options } = await call(contract.beginPasskeySignIn, {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const credential = await startAuthentication({ optionsJSON });
  return (await call(contract.finishPasskeySignIn, { challengeId, credential: { ...credential } as never })).operator;
});

export const addPasskey = oneAtATime(async (name: string): Promise<Operator> => {
  const { challengeId, options } = await call(contract.beginPasskey, {});
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = await startRegistration({ optionsJSON });
  return (await call(contract.addPasskey, { challengeId, name, credential: { ...credential } as never })).operator;
});

/** Returns whether a person closed the browser's dialog, or it found nothing to show. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof WebAuthnError
    ? error.code !== 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    : error instanceof DOMException && error.name === 'NotAllowedError';

/** Names a new passkey by the device that makes it. */
export function deviceName(agent = navigator.userAgent): string {
  const known = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android phone'],
    [/Mac OS X/, 'Mac'],
    [/Windows/, 'Windows computer'],
    [/CrOS/, 'Chromebook'],
  ] as const;
  return known.find(([pattern]) => pattern.test(agent))?.[1] ?? 'This computer';
}
