import { randomBytes } from 'node:crypto';
import { fullDay } from '@sparechange/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { escapeHtml } from '#html.ts';
import { answerError, refusalOf } from '#http/errors.ts';
import { asPage, pagePolicy } from '#http/page-policy.ts';
import type { Clock } from '#ports/clock.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import { confirmChange, stopChange } from './change-bank-details.ts';
import { type BankDetailChange, findChange, nameOf } from './change-repository.ts';

interface PageDeps {
  db: Pool;
  log: AlarmDeps['log'];
  clock: Clock;
  tenants: Tenants;
  bankDetailLinks: IdLink;
}

const button = (choice: 'confirm' | 'stop', label: string) =>
  `<button name="choice" value="${choice}">${label}</button>`;

/** Returns the sentence on a change and its remaining buttons. */
function stateOf({ club, endsIn, confirmedAt, effectiveOn, appliedAt, cancelledAt }: BankDetailChange) {
  if (cancelledAt) return { text: `The change was stopped. ${club} is paid as before.`, buttons: [] };
  if (appliedAt) return { text: `${club} is paid into the account that ends in ${endsIn}.`, buttons: [] };
  const stop = button('stop', 'This is wrong: stop it');
  if (effectiveOn)
    return {
      text: `From ${fullDay(effectiveOn)} ${club} is paid into the account that ends in ${endsIn}.`,
      buttons: [stop],
    };
  if (confirmedAt)
    return { text: 'Thank you. We look at it as well, and mail you before the new account is used.', buttons: [stop] };
  return {
    text: `We were asked to pay ${club} into another account, which ends in ${endsIn}. Is that right?`,
    buttons: [button('confirm', 'This is right'), stop],
  };
}

/** Raises an alarm if a contact reports new details as wrong: the requester may have tried to divert payments. */
async function alarmOfStopped(deps: AlarmDeps, { id, club, askedBy, endsIn }: BankDetailChange): Promise<void> {
  const asker = await nameOf(deps.db, askedBy);
  const sentence = `The contact of ${club} says that the bank details ending in ${endsIn}, which ${asker} asked for, are wrong, and stopped them. It may be fraud: phone both of them.`;
  await raiseAlarm(deps, { name: 'bank_details_stopped', about: id, sentence, see: { page: 'Clubs' } });
}

/** Serves the page of an emailed link, on which a club's contact confirms or stops new bank details. */
export function bankDetailRoutes(
  { app }: { app: FastifyInstance },
  { db, clock, log, tenants, bankDetailLinks }: PageDeps,
): void {
  const read = async (token: string): Promise<BankDetailChange> => {
    const id = bankDetailLinks.read(token);
    const change = id && (await findChange(db, id));
    if (!change) throw new NotFound('The link');
    return change;
  };
  const send = (reply: FastifyReply, text: string, buttons: string[] = [], status = 200) => {
    const { name, theme } = tenantOrDefault(tenants, 'default');
    const nonce = randomBytes(16).toString('base64');
    const style = `body{font:1.125rem/1.6 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:36rem;margin:3rem auto;padding:0 1.5rem}button{font:inherit;display:block;width:100%;padding:.75rem;margin:1rem 0;border:2px solid #1a1a1a;border-radius:.5rem;background:#fff}h1{border-top:.5rem solid ${theme.secondary};padding-top:1rem}`;
    return asPage(reply, pagePolicy({ connect: [], frame: [], script: [] }, nonce))
      .status(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        `<!doctype html><html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>Bank details · ${escapeHtml(name)}</title><style nonce="${nonce}">${style}</style></head><body><main><h1>Bank details</h1><p>${escapeHtml(text)}</p><form method="post">${buttons.join('')}</form></main></body></html>`,
      );
  };
  const show = async (reply: FastifyReply, token: string) => {
    const { text, buttons } = stateOf(await read(token));
    return send(reply, text, buttons);
  };
  const refusal = (reply: FastifyReply, error: unknown) => {
    if (error instanceof NotFound) return send(reply, 'This link is not one of ours.', [], 404);
    if (error instanceof Conflict) return send(reply, error.message, [], 409);
    throw error;
  };

  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (refusalOf(error).code !== 'unavailable') return answerError(request, reply, error);
      request.log.error({ requestId: request.id, err: error }, 'request failed');
      const text = 'We cannot look this up just now. Please try again in a minute.';
      return send(reply.header('retry-after', '60'), text, [], 503);
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, body, done) => done(null, body));
    scope.get<{ Params: { token: string } }>('/bank-details/:token', ({ params: { token } }, reply) =>
      show(reply, token).catch((error: unknown) => refusal(reply, error)),
    );
    scope.post<{ Params: { token: string } }>('/bank-details/:token', async ({ params: { token }, body }, reply) => {
      try {
        const change = await read(token);
        const choice = new URLSearchParams(String(body)).get('choice');
        if (choice === 'confirm') await confirmChange({ db, clock }, change.id);
        if (choice === 'stop') {
          await stopChange({ db, clock }, change.id, 'contact');
          await alarmOfStopped({ db, clock, log }, change);
        }
        return await show(reply, token);
      } catch (error) {
        return refusal(reply, error);
      }
    });
  });
}
