import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { WorkDropped } from '#db/waiting-caller.ts';
import { Refusal } from '#errors.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';

type Metrics = ProductMetrics | undefined;

const answered = new WeakSet<FastifyReply>();

/** Answers in place of a handler that is still at work. What the handler answers later is dropped. */
export function answerEarly(reply: FastifyReply, refusal: Refusal): void {
  reply.send(refusal);
  answered.add(reply);
  reply.send = () => reply;
}

function noteLate(request: FastifyRequest, err: unknown, metrics: Metrics, level: 'info' | 'error'): void {
  metrics?.lateFailures.inc({ route: request.routeOptions.url ?? 'unknown' });
  request.log[level]({ requestId: request.id, err }, 'failed after the call was answered');
}

/** Waits up to `patienceMs` for work, which continues after that; its later failure is logged and counted. */
export async function waitPatiently<Result>(
  request: FastifyRequest,
  work: Promise<Result>,
  { patienceMs, metrics }: { patienceMs: number; metrics: Metrics },
): Promise<Result | undefined> {
  let isOver = false;
  work.catch(
    (error: unknown) => isOver && noteLate(request, error, metrics, error instanceof Refusal ? 'info' : 'error'),
  );
  const result = await Promise.race([work, wait(patienceMs, undefined, { ref: false })]);
  isOver = true;
  return result;
}

/** Logs late handlers' failures at info, and counts them: their callers were answered 503 and call again. */
export function quietLateHandlers(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const { handler } = route;
    route.handler = function quietly(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        if (!answered.has(reply)) throw error;
        if (error instanceof WorkDropped) return reply;
        noteLate(request, error, metrics, 'info');
        return reply;
      });
    };
  });
}
