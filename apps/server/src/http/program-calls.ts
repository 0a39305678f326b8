import { createHash } from 'node:crypto';
import type { ProgramOperation } from '@sparechange/contract/programs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ProgramKey, VerifyKey } from '#caller.ts';
import { NotAllowed } from '#errors.ts';
import { tooManyRequests, unknownKey } from './errors.ts';
import type { Limit, RateLimits } from './rate-limit.ts';
import { bearerToken } from './serve.ts';

interface ProgramCallDeps {
  verifyKey: VerifyKey;
  limits: RateLimits;
}

/** Limits all calls of one key together. */
const anyCall: Limit = { burst: 600, everySeconds: 0.1, lease: 20 };

async function admit({ verifyKey, limits }: ProgramCallDeps, request: FastifyRequest, reply: FastifyReply) {
  const text = bearerToken(request);
  const key = text ? await verifyKey(text) : undefined;
  if (!key) {
    reply.header('www-authenticate', 'Bearer');
    throw unknownKey();
  }
  const seconds = await limits.take('key', key.id, anyCall);
  if (seconds > 0) throw tooManyRequests(seconds);
  return key;
}

/** Returns the body or the query, with what stands in the path. */
function givenIn({ body, query, params, method }: FastifyRequest): unknown {
  const given = method === 'PATCH' ? body : query;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isObject ? { ...given, ...(params as object) } : given;
}

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Sends an answer with its ETag, or 304 to a program that has it. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
  const text = JSON.stringify(answer);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  reply.headers({ etag: `W/${tag}`, 'cache-control': 'private, no-cache' }).type('application/json; charset=utf-8');
  const held = String(request.headers['if-none-match'] ?? '')
    .split(',')
    .map(withoutWeakness);
  return held.includes(tag) ? reply.code(304).send() : reply.send(text);
}

/** Serves operations to programs: key, limit, scope and input are checked before `handle`, the output after it. */
export function serveForPrograms(app: FastifyInstance, deps: ProgramCallDeps) {
  return <Input extends z.ZodType, Output extends z.ZodType>(
    operation: ProgramOperation<Input, Output>,
    handle: (input: z.output<Input>, key: ProgramKey) => Promise<z.input<Output>>,
  ): void => {
    const { method, path, scope, input, output } = operation;
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const key = await admit(deps, request, reply);
      if (!key.scopes.includes(scope)) throw new NotAllowed(`The API key lacks the scope ${scope}.`);
      const answer = output.parse(await handle(input.parse(givenIn(request)), key));
      return method === 'GET'
        ? sendTagged(request, reply, answer)
        : reply.header('cache-control', 'no-store').send(answer);
    };
    app.route({ method, url: `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, handler });
  };
}

export type ServeForPrograms = ReturnType<typeof serveForPrograms>;
