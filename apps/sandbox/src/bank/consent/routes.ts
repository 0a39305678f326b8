import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { BasiqProblem } from '#bank/basiq/answers.ts';
import { connections } from '#bank/basiq/connections.ts';
import { findActiveConsent, takeAuthLink } from '#bank/basiq/consents.ts';
import { type Claims, readToken } from '#bank/basiq/tokens.ts';
import { findBank } from '#bank/statements/banks.ts';
import { sendPage } from '#pages/layout.ts';
import type { World } from '#world/world.ts';
import { extendStep, manageStep, reauthoriseStep } from './manage-steps.ts';
import { errorPage, type Step } from './page.ts';
import { accountsStep, bankStep, codeStep, crnStep } from './sign-in-steps.ts';
import { returnAddress, startVisit, type Visit, visits } from './visits.ts';

const Query = z.object({
  token: z.string().optional(),
  action: z.string().optional(),
  state: z.string().optional(),
  institutionId: z.string().optional(),
  connectionId: z.string().optional(),
});

const Form = z.object({
  step: z.string().optional(),
  institution: z.string().optional(),
  crn: z.string().optional(),
  code: z.string().optional(),
  account: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .transform((account) => [account].flat()),
  decision: z.string().optional(),
  remove: z.string().optional(),
  reauthorise: z.string().optional(),
});

/** The first step of each action that addresses can name. */
const firstSteps = new Map<string, Pick<Visit, 'action' | 'step'>>([
  ['connect', { action: 'connect', step: 'bank' }],
  ['manage', { action: 'manage', step: 'manage' }],
  ['extend', { action: 'extend', step: 'extend' }],
  // The policy behind the consent never changes here, and then Basiq treats an update as an extension.
  ['update', { action: 'update', step: 'extend' }],
  ['reauthorise', { action: 'reauthorise', step: 'reauthorise' }],
]);
const firstVisit = { action: 'first', step: 'bank' } as const;
const reauthorisation = { action: 'reauthorise', step: 'reauthorise' } as const;

const steps: Record<Visit['step'], Step> = {
  bank: bankStep,
  crn: crnStep,
  code: codeStep,
  accounts: accountsStep,
  manage: manageStep,
  extend: extendStep,
  reauthorise: reauthoriseStep,
  done: { ...bankStep, submit: (_world, visit) => ({ visit }) },
};

export function consentPages(app: FastifyInstance, world: World): void {
  const { db, clock, redirectUrl } = world;

  const answer = (reply: FastifyReply, visit: Visit) =>
    visit.step === 'done'
      ? reply.redirect(returnAddress(redirectUrl, visit), 303)
      : sendPage(reply, steps[visit.step].show(world, visit, undefined));

  app.get('/home', async (request, reply) => {
    const { token, action, state = null, institutionId, connectionId } = Query.parse(request.query);
    const claims = claimsOf(world, token);
    if (claims === 'expired') return sendPage(reply, errorPage('token-expired'), 403);
    if (claims?.userId === undefined) return sendPage(reply, errorPage('missing-attributes'), 400);
    const { userId } = claims;
    const isKnown = connectionId !== undefined && connections.find(db, { id: connectionId }) !== undefined;
    const wanted = firstSteps.get(action ?? '') ?? (isKnown ? reauthorisation : firstVisit);
    const needsConsent = wanted.action !== 'first' && wanted.action !== 'manage';
    if (needsConsent && findActiveConsent(db, userId) === undefined)
      return sendPage(reply, errorPage('resource-not-found'), 404);
    const institution = findBank(institutionId ?? '')?.id ?? null;
    const step = wanted.step === 'bank' && institution !== null ? 'crn' : wanted.step;
    return answer(reply, startVisit(db, { userId, action: wanted.action, state, step, institution }, clock.now()));
  });

  app.get<{ Params: { linkId: string } }>('/link/:linkId', async ({ params }, reply) => {
    const link = takeAuthLink(db, params.linkId, clock.now());
    if (link === undefined) return sendPage(reply, errorPage('token-expired'), 410);
    const visit = { userId: link.userId, ...firstVisit, state: null, institution: null };
    return answer(reply, startVisit(db, visit, clock.now()));
  });

  app.get<{ Params: { visitId: string } }>('/home/:visitId', async ({ params }, reply) => {
    const visit = visits.find(db, { id: params.visitId });
    return visit === undefined ? sendPage(reply, errorPage('missing-attributes'), 404) : answer(reply, visit);
  });

  app.post<{ Params: { visitId: string } }>('/home/:visitId', async ({ params, body }, reply) => {
    const visit = visits.find(db, { id: params.visitId });
    if (visit === undefined) return sendPage(reply, errorPage('missing-attributes'), 404);
    const form = Form.parse(body ?? {});
    // A form sent twice, or from a page gone back to, is answered with where the visit stands now.
    if (form.step !== visit.step) return reply.redirect(`/home/${visit.id}`, 303);
    const outcome = db.atomically(() => steps[visit.step].submit(world, visit, form));
    const { step } = outcome.visit;
    if (outcome.error !== undefined) return sendPage(reply, steps[step].show(world, outcome.visit, outcome.error), 422);
    return reply.redirect(step === 'done' ? returnAddress(redirectUrl, outcome.visit) : `/home/${visit.id}`, 303);
  });
}

function claimsOf({ db, clock }: World, token = ''): Claims | 'expired' | undefined {
  try {
    return readToken(db, token, clock.now());
  } catch (cause) {
    if (cause instanceof BasiqProblem) return cause.status === 403 ? 'expired' : undefined;
    throw cause;
  }
}
