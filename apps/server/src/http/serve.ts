import type { Operation } from '@sparechange/contract';
import { bucketOf } from '@sparechange/domain/bucket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Caller, type Identity, supporterIdOf, type VerifyIdToken } from '#caller.ts';
import { NotAllowed, SignedOut } from '#errors.ts';
import type { Tenant, Tenants } from '#tenants/load-tenants.ts';
import { limitsOf, refuseTooMany } from './call-limits.ts';
import { unknownTenant } from './errors.ts';
import type { RateLimits } from './rate-limit.ts';

/** The facts about every admitted call. */
export interface Call {
  tenant: Tenant;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface ApiKeyCheckDeps {
  tenants: Tenants;
  verifyIdToken: VerifyIdToken;
  limits: RateLimits;
}

type Handler<Op extends Operation, Who> = (
  input: z.output<Op['input']>,
  caller: Who,
  call: Call,
) => Promise<z.input<Op['output']>>;

/** Returns whether one payload level names the caller alone. */
function namesOnly({ uid, supporterId }: Caller, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return true;
  const isMine = (id: unknown) => id === undefined || id === uid || id === supporterId;
  return isMine('cdrid' in part ? part.cdrid : undefined) && isMine('userId' in part ? part.userId : undefined);
}

/** Refuses any payload with somebody else's id (docs/rules.md#ids-in-a-payload). */
function refuseForeignIds(body: unknown, caller: Caller): void {
  const inner = typeof body === 'object' && body !== null && 'values' in body ? body.values : undefined;
  if (!namesOnly(caller, body) || !namesOnly(caller, inner)) throw new NotAllowed();
}

const callers = new WeakMap<Identity, Caller>();

/** Caches the caller of an identity, for as long as remember-briefly.ts does. */
function asCaller(identity: Identity): Caller {
  const known = callers.get(identity);
  if (known) return known;
  const caller = { ...identity, supporterId: supporterIdOf(identity.uid) };
  callers.set(identity, caller);
  return caller;
}

const scheme = 'bearer ';

/**
 * Returns the token of the Authorization header; the scheme is written in any case (RFC 9110). A space within it is left
 * to the check of the token.
 */
export function bearerToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const hasToken =
    authorization.length > scheme.length && authorization.slice(0, scheme.length).toLowerCase() === scheme;
  return hasToken ? authorization.slice(scheme.length).trimStart() || undefined : undefined;
}

/** Serves operations of the contract: keys, token and ids are checked, input and output parsed, before and after `handle`. */
export function apiKeyCheck(app: FastifyInstance, { tenants, verifyIdToken, limits }: ApiKeyCheckDeps) {
  const tenantOf = (request: FastifyRequest) => {
    const tenant = tenants.byKeys(request.headers.apikey, request.headers.tenant);
    if (!tenant) throw unknownTenant();
    return tenant;
  };
  const identityOf = (request: FastifyRequest, operation: Operation) => {
    const token = bearerToken(request);
    return token === undefined ? undefined : verifyIdToken(token, { readsOnly: operation.readsOnly ?? false });
  };
  const route = (
    operation: Operation,
    handle: (raw: unknown, request: FastifyRequest, call: Call) => Promise<unknown>,
  ) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = tenantOf(request);
      const raw = operation.method === 'GET' ? request.query : request.body;
      const answer = await handle(raw, request, { tenant, request, reply });
      return reply.header('cache-control', 'no-store').send(operation.output.parse(answer));
    };
    app.route({ method: operation.method, url: `/api${operation.path}`, handler });
  };
  /** Parses the input and counts the call before handling it. */
  const admitting = <Op extends Operation, Who extends Caller | undefined>(operation: Op, handle: Handler<Op, Who>) => {
    const limitsOfIt = limitsOf(operation);
    return (raw: unknown, who: Who, call: Call): Promise<unknown> => {
      const input = operation.input.parse(raw) as z.output<Op['input']>;
      if (!limitsOfIt) return handle(input, who, call);
      const asked = { request: call.request, supporterId: who?.supporterId, input };
      return refuseTooMany(limits, limitsOfIt, asked).then(() => handle(input, who, call));
    };
  };
  const ofSupporters = new Map<Operation, ((raw: unknown, caller: Caller, call: Call) => Promise<unknown>)[]>();
  return {
    /** For everybody with a tenant's key. */
    open<Op extends Operation>(operation: Op, handle: Handler<Op, undefined>): void {
      const admit = admitting(operation, handle);
      route(operation, (raw, _request, call) => admit(raw, undefined, call));
    },
    /** For the signed-in supporter, by the handler of their bucket: the first call serves the first bucket. */
    supporter<Op extends Operation>(operation: Op, handle: Handler<Op, Caller>): void {
      const inBuckets = ofSupporters.get(operation) ?? [];
      inBuckets.push(admitting(operation, handle));
      if (inBuckets.length > 1) return;
      ofSupporters.set(operation, inBuckets);
      route(operation, async (raw, request, call) => {
        const identity = await identityOf(request, operation);
        if (!identity) throw new SignedOut();
        const caller = asCaller(identity);
        refuseForeignIds(raw, caller);
        return inBuckets[bucketOf(caller.supporterId, inBuckets.length)]?.(raw, caller, call);
      });
    },
  };
}

export type Serve = ReturnType<typeof apiKeyCheck>;
