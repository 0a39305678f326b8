import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { ConsoleOperation, Operator } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { appendConsoleCall } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { InvalidInput, NotAllowed, SignedOut } from '#errors.ts';
import type { ConsoleCall, ConsoleCaller, ServeConsole, ServeConsoleDeps } from '#http/serve-console.ts';
import { findOperator, findOperatorByEmail, hasSignIn, type OperatorRow } from './operator-repository.ts';
import {
  beginPasskey,
  beginPasskeySignIn,
  checkNewPasskey,
  checkPasskey,
  listPasskeys,
  removePasskey,
} from './passkeys.ts';
import {
  beginPassword,
  checkCode,
  checkNewPassword,
  checkPassword,
  countingGuess,
  isOwnNetwork,
  rememberOwnNetwork,
} from './passwords.ts';
import { peopleRoutes, type RolesRouteDeps } from './people-routes.ts';
import {
  confirmSession,
  countSessions,
  endSession,
  endSessionsOf,
  findSession,
  type Session,
} from './session-repository.ts';
import { type NewSession, requestSignInLink, type SignInDeps, signIn, signInBy, signInWithLink } from './sign-in.ts';
import { beginSingleSignOn, finishSingleSignOn, type SingleSignOnDeps } from './single-sign-on.ts';

function presentOperator(operator: OperatorRow, session: Pick<Session, 'method' | 'isConfirmed'>): Operator {
  const { id, email, name, roles, clubs } = operator;
  const isByLink = session.method === 'link';
  return { id, email, name, roles, clubs, isByLink, hasSignIn: hasSignIn(operator), isConfirmed: session.isConfirmed };
}

/** Returns the console server's questions about callers. */
export function consoleCallers({ db, clock }: SignInDeps): Pick<ServeConsoleDeps, 'findCaller' | 'note'> {
  return {
    findCaller: async (token) => {
      const session = await findSession(db, token);
      const operator = session && (await findOperator(db, session.operatorId));
      if (!session || !operator) return undefined;
      return {
        operatorId: operator.id,
        roles: operator.roles,
        clubIds: operator.clubs.map(({ id }) => id),
        isByLink: session.method === 'link',
        hasSignIn: hasSignIn(operator),
        isConfirmed: session.isConfirmed,
        sessionHash: session.hash,
      };
    },
    note: ({ operatorId }, { name, audited = [] }: ConsoleOperation, input, refusal) => {
      const kept = audited.map((field) => [field, [input[field]].flat().join(' ')] as const);
      const details = { ...Object.fromEntries(kept), operator: operatorId };
      return appendConsoleCall(db, { at: clock.now(), name, details }, refusal);
    },
  };
}

async function getOperator({ db }: SignInDeps, { operatorId }: ConsoleCaller): Promise<OperatorRow> {
  const operator = await findOperator(db, operatorId);
  if (!operator) throw new SignedOut();
  return operator;
}

async function answerNewSession({ db }: SignInDeps, { operator, token, method }: NewSession, call: ConsoleCall) {
  call.keepSession(token);
  const isConfirmed = method === 'passkey' || method === 'password';
  if (isConfirmed) await rememberOwnNetwork(db, operator.id, call.request.ip);
  return { operator: presentOperator(operator, { method, isConfirmed }) };
}

/** Serves people's sign-in and identity. */
export function operatorRoutes(serve: ServeConsole, deps: SingleSignOnDeps & RolesRouteDeps): void {
  sessionRoutes(serve, deps);
  ownSignInRoutes(serve, deps);
  peopleRoutes(serve, deps);
}

function sessionRoutes(serve: ServeConsole, deps: SingleSignOnDeps): void {
  const { db, consoleUrl } = deps;

  serve.open(contract.retrieveSession, async (_input, caller) => {
    const singleSignOn = deps.singleSignOn?.name ?? null;
    if (!caller) return { operator: null, singleSignOn };
    const session = { method: caller.isByLink ? 'link' : 'passkey', isConfirmed: caller.isConfirmed } as const;
    return { operator: presentOperator(await getOperator(deps, caller), session), singleSignOn };
  });

  serve.open(contract.beginSingleSignOn, ({ isFresh }) => beginSingleSignOn(deps, isFresh));

  serve.open(contract.finishSingleSignOn, async (input, caller, call) =>
    answerNewSession(deps, await finishSingleSignOn(deps, input, caller), call),
  );

  serve.open(contract.beginPasskeySignIn, () => beginPasskeySignIn(db, consoleUrl));

  serve.open(contract.finishPasskeySignIn, async ({ challengeId, credential }, caller, call) => {
    const answer = { challengeId, credential: credential as unknown as AuthenticationResponseJSON };
    const operatorId = await checkPasskey(db, consoleUrl, answer);
    if (!operatorId) throw new NotAllowed('This passkey is not known here.');
    return answerNewSession(deps, await db.begin((tx) => signIn(tx, deps, operatorId, 'passkey', caller)), call);
  });

  serve.open(contract.signInWithPassword, async (input, caller, call) => {
    const { ip } = call.request;
    const known = await findOperatorByEmail(db, input.email);
    const guess = { ip, about: input.email, isKnown: await isOwnNetwork(db, known?.id, ip) };
    const operatorId = await countingGuess(db, guess, () => checkPassword(db, deps.encryption, input));
    if (!operatorId) throw new NotAllowed('Email, password or code is not right.');
    return answerNewSession(deps, await db.begin((tx) => signIn(tx, deps, operatorId, 'password', caller)), call);
  });

  serve.open(contract.requestSignInLink, async ({ email }) => {
    await requestSignInLink(deps, email);
    return {};
  });

  serve.open(contract.signInWithLink, async ({ token }, caller, call) =>
    answerNewSession(deps, await signInWithLink(deps, token, caller), call),
  );

  serve.person(contract.confirmWithCode, async ({ code }, caller, call) => {
    const guess = { ip: call.request.ip, about: `code of ${caller.operatorId}` };
    const attempt = async () => (await checkCode(db, deps.encryption, caller.operatorId, code)) || undefined;
    if (caller.isByLink || !(await countingGuess(db, guess, attempt)))
      throw new InvalidInput('The code is not right.', { code: 'The code is not right' });
    await confirmSession(db, caller.sessionHash);
    return {
      operator: presentOperator(await getOperator(deps, caller), { method: 'password', isConfirmed: true }),
    };
  });

  serve.person(contract.signOut, async (_input, { sessionHash }, call) => {
    await endSession(db, sessionHash);
    call.forgetSession();
    return {};
  });

  serve.person(contract.signOutEverywhere, async (_input, { operatorId }, call) => {
    await endSessionsOf(db, operatorId);
    call.forgetSession();
    return {};
  });
}

/** Serves a person's own passkeys and password. */
function ownSignInRoutes(serve: ServeConsole, deps: SignInDeps): void {
  const { db, consoleUrl, encryption } = deps;

  serve.person(contract.retrieveSignIn, async (_input, caller) => {
    const { hasPassword } = await getOperator(deps, caller);
    const passkeys = await listPasskeys(db, caller.operatorId);
    return {
      hasPassword,
      sessions: await countSessions(db, caller.operatorId),
      passkeys: passkeys.map(({ addedAt, lastUsedAt, ...passkey }) => ({
        ...passkey,
        addedAt: addedAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    };
  });

  serve.person(contract.beginPasskey, async (_input, caller) =>
    beginPasskey(db, consoleUrl, await getOperator(deps, caller)),
  );

  serve.person(contract.addPasskey, async ({ challengeId, name, credential }, caller, call) => {
    const answer = { challengeId, name, credential: credential as unknown as RegistrationResponseJSON };
    const add = await checkNewPasskey(db, consoleUrl, await getOperator(deps, caller), answer);
    return answerNewSession(deps, await signInBy(deps, caller, 'passkey', add), call);
  });

  serve.person(contract.removePasskey, async ({ id }, caller) => {
    await removePasskey(db, caller.operatorId, id);
    await endSessionsOf(db, caller.operatorId, caller.sessionHash);
    return {};
  });

  serve.person(contract.beginPassword, async (_input, caller) =>
    beginPassword(db, encryption, await getOperator(deps, caller)),
  );

  serve.person(contract.setPassword, async (input, caller, call) => {
    const set = await checkNewPassword(db, encryption, await getOperator(deps, caller), input);
    const setAlone = async (tx: Db) => {
      await set(tx);
      await endSessionsOf(tx, caller.operatorId); // somebody else may know the old one
    };
    return answerNewSession(deps, await signInBy(deps, caller, 'password', setAlone), call);
  });
}
