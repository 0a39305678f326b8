import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { IdentityDeps } from './identity-deps.ts';
import { makeOobCode } from './make-oob-code.ts';
import { type DueRequest, deleteOobRequest, takeOobRequest } from './oob-request-repository.ts';
import { findUser, findUserByEmail, type User } from './user-repository.ts';

/** After this many attempts, some 15 minutes, a mail that cannot be handed on is given up: the person asks again. */
const attemptsAtMost = 6;
/** Interval of the search for mails that another server left over. */
const lookEveryMs = 15_000;
/** Work starts at a random moment after the request, so that its load tells nothing about the address either. */
const startWithinMs = 100;

/** Sends what was asked for in the background. */
export interface OobMails {
  /** There is something to do soon. */
  wake(): void;
  start(): void;
  /** Stops after the mail in hand. */
  stop(): Promise<void>;
}

type MailDeps = Pick<IdentityDeps, 'db' | 'apiKey' | 'actionPage' | 'sendOobMail'>;

/** The user of a request as they are now: nobody where their address is no longer the one that it was made for. */
async function findOwner({ db }: MailDeps, { requestType, uid, email }: DueRequest): Promise<User | undefined> {
  if (uid === undefined) return findUserByEmail(db, email);
  const user = await findUser(db, uid);
  return requestType === 'recover_email' || user?.email === email ? user : undefined;
}

async function sendOne(deps: MailDeps, request: DueRequest): Promise<void> {
  const { db, apiKey, actionPage, sendOobMail } = deps;
  const { requestType, email, newEmail, since, locale, continueUrl, origin } = request;
  const user = await findOwner(deps, request);
  if (!user || user.disabled) return;
  const oobCode = await makeOobCode(db, { uid: user.uid, requestType, email, newEmail, since });
  const to = requestType === 'verify_and_change_email' && newEmail ? newEmail : email;
  const link = actionPage({ requestType, oobCode, apiKey, locale, continueUrl, origin });
  await sendOobMail({ requestType, email: to, link, locale });
}

/**
 * The mails that carry out-of-band codes. Requests wait in the database, those of unknown addresses too, so the answer
 * takes the same time for both, a crash loses none, and any server may send what another took in.
 */
export function oobMails(deps: MailDeps, log: FastifyBaseLogger): OobMails {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let isAskedAgain = false;

  const trySend = async (request: DueRequest): Promise<'over' | 'again later'> => {
    try {
      await sendOne(deps, request);
      return 'over';
    } catch (error) {
      log.warn(
        { err: error, attempt: request.attempts, requestType: request.requestType },
        'a mail with a code could not be handed on',
      );
      return request.attempts < attemptsAtMost ? 'again later' : 'over';
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
    running ??= sendDue()
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
