import type { Operation } from '@sparechange/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Tenant, Tenants } from '#features/tenants/load-tenants.ts';
import { refuseTooMany } from './call-limits.ts';
import { type Caller, type Identity, supporterIdOf, type VerifyIdToken } from './caller.ts';
import { notAllowed, signedOut, unknownTenant } from './errors.ts';
import type { RateLimits } from './rate-limit.ts';

/** What every call may rely on once it was let in. */
export interface Call {
  tenant: Tenant;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Doorkeeping {
  tenants: Tenants;
  verifyIdToken: VerifyIdToken;
  limits: RateLimits;
}

type Handler<Op extends Operation, Who> = (
  input: z.output<Op['input']>,
  caller: Who,
  call: Call,
) => Promise<z.input<Op['output']>>;

/**
 * Ids in a payload that name the caller; the call is refused when one of them names somebody else (design section 6),
 * whatever the rest of the payload is.
 */
const OwnIds = z.looseObject({ cdrid: z.unknown().optional(), userId: z.unknown().optional() });

function refuseForeignIds(body: unknown, caller: Caller): void {
  const outer = OwnIds.safeParse(body).data; // undefined for what is no object: the operation's own schema refuses it
  const inner = OwnIds.safeParse(outer?.values).data;
  const mine: unknown[] = [undefined, caller.uid, caller.supporterId];
  const ids = [outer?.cdrid, outer?.userId, inner?.cdrid, inner?.userId];
  if (!ids.every((id) => mine.includes(id))) throw notAllowed();
}

const callers = new WeakMap<Identity, Caller>();

/** An identity is remembered for a moment (remember-briefly.ts), and with it whose it is. */
function asCaller(identity: Identity): Caller {
  const known = callers.get(identity);
  if (known) return known;
  const caller = { ...identity, supporterId: supporterIdOf(identity.uid) };
  callers.set(identity, caller);
  return caller;
}

/** Serves operations of the contract: keys, token and ids are checked, input and output parsed, before and after `handle`. */
export function doorkeeper(app: FastifyInstance, { tenants, verifyIdToken, limits }: Doorkeeping) {
  const tenantOf = (request: FastifyRequest) => {
    const tenant = tenants.byKeys(request.headers.apikey, request.headers.tenant);
    if (!tenant) throw unknownTenant();
    return tenant;
  };
  const callerOf = async (request: FastifyRequest, operation: Operation): Promise<Caller> => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    const identity = token ? await verifyIdToken(token, { readsOnly: operation.readsOnly ?? false }) : undefined;
    if (!identity) throw signedOut();
    return asCaller(identity);
  };
  const route = <Op extends Operation>(
    operation: Op,
    handle: (input: z.output<Op['input']>, request: FastifyRequest, call: Call) => Promise<z.input<Op['output']>>,
  ) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = tenantOf(request);
      const raw = operation.method === 'GET' ? request.query : request.body;
      const answer = await handle(raw as z.output<Op['input']>, request, { tenant, request, reply });
      return reply.header('cache-control', 'no-store').send(operation.output.parse(answer));
    };
    app.route({ method: operation.method, url: `/api${operation.path}`, handler });
  };
  return {
    /** For everybody with a tenant's key. */
    open<Op extends Operation>(operation: Op, handle: Handler<Op, undefined>): void {
      route(operation, async (raw, request, call) => {
        const input = operation.input.parse(raw) as z.output<Op['input']>;
        await refuseTooMany(limits, operation, { request, supporterId: undefined, input });
        return handle(input, undefined, call);
      });
    },
    /** For the signed-in supporter whom every id in the payload names. */
    supporter<Op extends Operation>(operation: Op, handle: Handler<Op, Caller>): void {
      route(operation, async (raw, request, call) => {
        const caller = await callerOf(request, operation);
        refuseForeignIds(raw, caller);
        const input = operation.input.parse(raw) as z.output<Op['input']>;
        await refuseTooMany(limits, operation, { request, supporterId: caller.supporterId, input });
        return handle(input, caller, call);
      });
    },
  };
}

export type Serve = ReturnType<typeof doorkeeper>;
