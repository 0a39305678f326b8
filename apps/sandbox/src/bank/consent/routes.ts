import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { takeAuthLink } from '#bank/basiq/auth-links.ts';
import { findConnection } from '#bank/basiq/connections.ts';
import { findActiveConsent } from '#bank/basiq/consents.ts';
import { BasiqProblem } from '#bank/basiq/problem.ts';
import { type Claims, readToken } from '#bank/basiq/tokens.ts';
import { findBank } from '#bank/statements/banks.ts';
import { sendPage } from '#pages/layout.ts';
import type { World } from '#world/world.ts';
import { errorPage } from './pages.ts';
import { type Submitted, show, submit } from './steps.ts';
import { type Action, actions, findVisit, returnAddress, startVisit, type Visit, type VisitStep } from './visits.ts';

const Query = z.object({
  token: z.string().optional(),
  action: z.string().optional(),
  state: z.string().optional(),
  institutionId: z.string().optional(),
  connectionId: z.string().optional(),
});

const list = z.union([z.string(), z.array(z.string())]).optional();

const Form = z.object({
  step: z.string().optional(),
  institution: z.string().optional(),
  crn: z.string().optional(),
  code: z.string().optional(),
  account: list,
  decision: z.string().optional(),
  remove: z.string().optional(),
  reauthorise: z.string().optional(),
});

const firstStep: Record<Action, VisitStep> = {
  first: 'bank',
  connect: 'bank',
  manage: 'manage',
  extend: 'extend',
  // The policy behind the consent never changes here, and then Basiq treats an update as an extension.
  update: 'extend',
  reauthorise: 'reauthorise',
};

export function consentPages(app: FastifyInstance, world: World): void {
  const { db, clock, redirectUrl } = world;

  app.get('/home', async (request, reply) => {
    const { token, action, state, institutionId, connectionId } = Query.parse(request.query);
    const claims = claimsOf(world, token);
    if (claims === 'expired') return sendPage(reply, errorPage('token-expired'), 403);
    if (claims?.userId === undefined) return sendPage(reply, errorPage('missing-attributes'), 400);
    const { userId } = claims;
    const connection = connectionId === undefined ? undefined : findConnection(db, connectionId);
    const wanted: Action =
      actions.find((known) => known === action) ?? (connection === undefined ? 'first' : 'reauthorise');
    const needsConsent = wanted !== 'first' && wanted !== 'manage';
    if (needsConsent && findActiveConsent(db, userId) === undefined)
      return sendPage(reply, errorPage('resource-not-found'), 404);
    const institution = findBank(institutionId ?? '')?.id ?? null;
    const step = firstStep[wanted] === 'bank' && institution !== null ? 'crn' : firstStep[wanted];
    return answer(
      reply,
      startVisit(db, { userId, action: wanted, state: state ?? null, step, institution }, clock.now()),
    );
  });

  app.get<{ Params: { linkId: string } }>('/link/:linkId', async ({ params }, reply) => {
    const link = takeAuthLink(db, params.linkId, clock.now());
    if (link === undefined) return sendPage(reply, errorPage('token-expired'), 410);
    const visit = { userId: link.userId, action: 'first', state: null, step: 'bank', institution: null } as const;
    return answer(reply, startVisit(db, visit, clock.now()));
  });

  app.get<{ Params: { visitId: string } }>('/home/:visitId', async ({ params }, reply) => {
    const visit = findVisit(db, params.visitId);
    return visit === undefined ? sendPage(reply, errorPage('missing-attributes'), 404) : answer(reply, visit);
  });

  app.post<{ Params: { visitId: string } }>('/home/:visitId', async ({ params, body }, reply) => {
    const visit = findVisit(db, params.visitId);
    if (visit === undefined) return sendPage(reply, errorPage('missing-attributes'), 404);
    const form = Form.parse(body ?? {});
    // A form sent twice, or from a page gone back to, is answered with where the visit stands now.
    if (form.step !== visit.step) return reply.redirect(`/home/${visit.id}`, 303);
    const submitted: Submitted = { ...form, account: [form.account ?? []].flat() };
    const outcome = db.atomically(() => submit(world, visit, submitted));
    if (outcome.error !== undefined) return sendPage(reply, show(world, outcome.visit, outcome.error), 422);
    if (outcome.visit.step === 'done') return reply.redirect(returnAddress(redirectUrl, outcome.visit), 303);
    return reply.redirect(`/home/${visit.id}`, 303);
  });

  const answer = (reply: FastifyReply, visit: Visit) =>
    visit.step === 'done'
      ? reply.redirect(returnAddress(redirectUrl, visit), 303)
      : sendPage(reply, show(world, visit));
}

function claimsOf({ db, clock }: World, token: string | undefined): Claims | 'expired' | undefined {
  try {
    return readToken(db, token ?? '', clock.now());
  } catch (cause) {
    if (cause instanceof BasiqProblem) return cause.status === 403 ? 'expired' : undefined;
    throw cause;
  }
}
