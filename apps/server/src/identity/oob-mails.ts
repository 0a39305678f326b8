import { setTimeout as pause } from 'node:timers/promises';
import { retryPlans } from '@sparechange/domain/retry-plan';
import type { FastifyBaseLogger } from 'fastify';
import { onBehalfOfNobody } from '#db/waiting-caller.ts';
import { defaultLimits, giveBackAttempt, take, unprovenMailLimit } from './limits.ts';
import { type DueRequest, deleteOobRequest, type OobRequestType, takeOobRequest } from './oob-code-repository.ts';
import { makeOobCode } from './oob-codes.ts';
import type { ActionLink, IdentityDeps } from './service.ts';
import { findUser, findUserByEmail, type User } from './user-repository.ts';

/** Search interval for emails that another server left over. */
const lookEveryMs = 15_000;
/** Work starts at a random moment after the request, so that its load tells nothing about the address either. */
const startWithinMs = 100;

/** Sends requested emails in the background. */
export interface OobMails {
  /** Wakes the sender: there is something to send soon. */
  wake(): void;
  start(): void;
  /** Stops after the email in hand. */
  stop(): Promise<void>;
}

type MailDeps = Pick<IdentityDeps, 'db' | 'apiKey' | 'actionPage' | 'sendOobMail' | 'oobMailEnded' | 'limits'>;

/** The user of a request as they are now: nobody if their address has changed since the request. */
async function findOwner({ db }: MailDeps, { requestType, uid, email }: DueRequest): Promise<User | undefined> {
  if (uid === undefined) return findUserByEmail(db, email);
  const user = await findUser(db, uid);
  return requestType === 'recover_email' || user?.email === email ? user : undefined;
}

/** Returns the address that a request is emailed to, and whether its owner has shown that they are the user. */
function recipientOf({ requestType, email, newEmail }: DueRequest, user: User): { to: string; isProven: boolean } {
  if (requestType === 'verify_and_change_email' && newEmail) return { to: newEmail, isProven: false };
  return { to: email, isProven: requestType === 'recover_email' || user.emailVerified };
}

/**
 * Returns true after the last attempt. The email that undoes a change is not asked for again: it has as long as its
 * code.
 */
const isGivenUp = ({ requestType, attempts, isOutlived }: DueRequest): boolean =>
  requestType === 'recover_email' ? isOutlived : attempts >= retryPlans.codeMail.maxTries;

/** Makes a code and emails it. An address that nobody has proven gets few emails, from all callers together. */
async function sendOne(deps: MailDeps, request: DueRequest, user: User): Promise<'mailed' | 'not mailed'> {
  const { db, limits = defaultLimits } = deps;
  const { to, isProven } = recipientOf(request, user);
  if (isProven) return mailCode(deps, request, user, to);
  const limit = unprovenMailLimit(limits, to);
  if (!(await take(db, limit))) return 'not mailed';
  return mailCode(deps, request, user, to).catch(async (error: unknown) => {
    await giveBackAttempt(db, [limit]);
    throw error;
  });
}

async function mailCode(deps: MailDeps, request: DueRequest, { uid }: User, to: string): Promise<'mailed'> {
  const { id, requestType, email, newEmail, since, locale, continueUrl, origin } = request;
  const oobCode = await makeOobCode(deps.db, { uid, requestType, email, newEmail, since });
  const link = deps.actionPage({ requestType, oobCode, apiKey: deps.apiKey, locale, continueUrl, origin });
  await deps.sendOobMail({ id, uid, requestType, email: to, link, locale });
  return 'mailed';
}

/**
 * The emails that carry out-of-band codes. Requests wait in the database, those of unknown addresses too, so the answer
 * takes the same time for both, a crash loses none, and any server may send what another took in.
 */
export function oobMails(deps: MailDeps, log: FastifyBaseLogger): OobMails {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let isAskedAgain = false;

  const record = async ({ id, requestType, attempts }: DueRequest, { uid }: User, failure?: string) =>
    deps
      .oobMailEnded?.({ id, uid, requestType, attempts, failure })
      .catch((err: unknown) => log.error({ err, requestType, uid }, 'what became of a mail could not be recorded'));

  const trySend = async (request: DueRequest): Promise<'over' | 'again later'> => {
    let user: User | undefined;
    try {
      user = await findOwner(deps, request);
      if (!user || user.disabled) return 'over';
      if ((await sendOne(deps, request, user)) === 'mailed') await record(request, user);
      return 'over';
    } catch (error) {
      const { attempts: attempt, requestType } = request;
      log.warn({ err: error, attempt, requestType }, 'a mail with a code could not be handed on');
      if (!isGivenUp(request)) return 'again later';
      if (requestType === 'recover_email')
        log.error({ attempt, uid: request.uid }, 'the mail that undoes a change of address was given up');
      if (user) await record(request, user, error instanceof Error ? error.message : String(error));
      return 'over';
    }
  };
  const sendDue = async () => {
    do {
      isAskedAgain = false;
      await pause(Math.random() * startWithinMs);
      while (!isStopped) {
        const request = await takeOobRequest(deps.db);
        if (!request) break;
        if ((await trySend(request)) === 'over') await deleteOobRequest(deps.db, request.id);
      }
    } while (isAskedAgain && !isStopped);
  };
  const wake = () => {
    if (isStopped) return;
    isAskedAgain = true;
    running ??= onBehalfOfNobody(sendDue)
      .catch((error: unknown) => log.error({ err: error }, 'mails with codes could not be looked for'))
      .finally(() => {
        running = undefined;
      });
  };
  return {
    wake,
    start: () => {
      timer = setInterval(wake, lookEveryMs).unref();
      wake();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** An action link's `mode`, as the SDK's ActionCodeURL reads it. */
const modes: Record<OobRequestType, string> = {
  password_reset: 'resetPassword',
  verify_email: 'verifyEmail',
  verify_and_change_email: 'verifyAndChangeEmail',
  recover_email: 'recoverEmail',
};

/** The page of the product at `origin` where a code is used, with the parameters that Firebase's own links have. */
export function actionPageAt(origin: string, link: ActionLink): URL {
  const { requestType, oobCode, apiKey, locale, continueUrl } = link;
  const page = new URL('/__/auth/action', origin);
  page.searchParams.set('mode', modes[requestType]);
  page.searchParams.set('oobCode', oobCode);
  page.searchParams.set('apiKey', apiKey);
  page.searchParams.set('lang', locale ?? 'en');
  if (continueUrl) page.searchParams.set('continueUrl', continueUrl);
  return page;
}
