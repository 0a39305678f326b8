import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { crns } from '#bank/statements/customers.ts';
import type { Db } from '#world/database.ts';
import type { World } from '#world/world.ts';
import { listConnections } from './connections.ts';
import { forbidden, parameterNotValid, unauthorized, unavailable } from './problem.ts';
import { readToken } from './tokens.ts';
import { getUser, type User } from './users.ts';

/** Accepts server tokens alone, not those of the consent pages. */
export function requireServerToken(world: World, request: FastifyRequest): void {
  const [kind, token] = (request.headers.authorization ?? '').split(' ');
  if (kind !== 'Bearer' || token === undefined) throw unauthorized('Invalid authorization token.');
  const { scope } = readToken(world.db, token, world.clock.now());
  if (scope !== 'SERVER_ACCESS') throw forbidden('forbidden-access', 'Access to this resource is forbidden.');
}

export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const parameter = issue?.path.join('.') ?? '';
  throw parameterNotValid(`${parameter || 'Body'} value is not valid.`, parameter);
}

/** The user named in the path. A bank that does not answer (CRN 90000004) makes everything about its customers answer 503. */
export function getReachableUser(db: Db, userId: string): User {
  const user = getUser(db, userId);
  if (listConnections(db, userId).some(({ crn }) => crn === crns.unavailable)) throw unavailable();
  return user;
}
