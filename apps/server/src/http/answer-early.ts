import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify';
import type { Refusal } from '#errors.ts';

const answered = new WeakSet<FastifyReply>();

/** Answers in place of a handler that is still at work. What the handler answers later is dropped. */
export function answerEarly(reply: FastifyReply, refusal: Refusal): void {
  reply.send(refusal);
  answered.add(reply);
  reply.send = () => reply;
}

/** Logs late handlers' failures at info, without the stack. */
export function quietLateHandlers(app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const { handler } = route;
    route.handler = function quietly(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        if (!answered.has(reply)) throw error;
        request.log.info({ requestId: request.id, cause: String(error) }, 'failed after the call was answered');
        return reply;
      });
    };
  });
}
