import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { IdentityDeps } from './identity-deps.ts';
import { makeResetCode } from './make-reset-code.ts';
import { type DueRequest, deleteResetRequest, takeResetRequest } from './reset-request-repository.ts';
import { findUserByEmail } from './user-repository.ts';

/** After this many attempts, some 15 minutes, a mail that cannot be handed on is given up: the person asks again. */
const attemptsAtMost = 6;
/** What another server left over is looked for this often. */
const lookEveryMs = 15_000;
/** Work starts at a random moment after the request, so that its load tells nothing about the address either. */
const startWithinMs = 100;

/** Sends what was asked for in the background. */
export interface ResetMails {
  /** There is something to do soon. */
  wake(): void;
  start(): void;
  /** Stops after the mail in hand. */
  stop(): Promise<void>;
}

type MailDeps = Pick<IdentityDeps, 'db' | 'apiKey' | 'resetPage' | 'sendResetMail'>;

async function sendOne({ db, apiKey, resetPage, sendResetMail }: MailDeps, request: DueRequest): Promise<void> {
  const { email, locale, continueUrl, origin } = request;
  const user = await findUserByEmail(db, email);
  if (!user || user.disabled) return;
  const oobCode = await makeResetCode(db, user.uid);
  await sendResetMail({ email, link: resetPage({ oobCode, apiKey, locale, continueUrl, origin }), locale });
}

/**
 * The mails of asked-for resets. Requests wait in the database, those of unknown addresses too, so the answer takes the
 * same time for both, a crash loses none, and any server may send what another took in.
 */
export function resetMails(deps: MailDeps, log: FastifyBaseLogger): ResetMails {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let isAskedAgain = false;

  const trySend = async (request: DueRequest): Promise<'over' | 'again later'> => {
    try {
      await sendOne(deps, request);
      return 'over';
    } catch (error) {
      log.warn({ err: error, attempt: request.attempts }, 'a password-reset mail could not be handed on');
      return request.attempts < attemptsAtMost ? 'again later' : 'over';
    }
  };
  const sendDue = async () => {
    do {
      isAskedAgain = false;
      await pause(Math.random() * startWithinMs);
      while (!isStopped) {
        const request = await takeResetRequest(deps.db);
        if (!request) break;
        if ((await trySend(request)) === 'over') await deleteResetRequest(deps.db, request.id);
      }
    } while (isAskedAgain && !isStopped);
  };
  const wake = () => {
    if (isStopped) return;
    isAskedAgain = true;
    running ??= sendDue()
      .catch((error: unknown) => log.error({ err: error }, 'password-reset mails could not be looked for'))
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
