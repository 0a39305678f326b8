import { randomUUID } from 'node:crypto';
import { type ConsoleOperation, type ErrorBody, freshId, type Role } from '@sparechange/contract/console';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import { inviteOperator } from '#features/console/operators/manage-operators.ts';
import { beginSession, type SignInMethod } from '#features/console/operators/session-repository.ts';
import { aClock } from './makers.ts';

export interface TestOperator {
  id: string;
  email: string;
  /** Belongs to a browser that is signed in. */
  cookie: string;
}

/** Makes a person who is signed in, by passkey unless said otherwise. */
export async function anOperator(
  db: Pool,
  {
    roles = ['owner'],
    clubIds = [],
    method = 'passkey',
    email = `${randomUUID()}@example.com`,
  }: { roles?: Role[]; clubIds?: string[]; method?: SignInMethod; email?: string } = {},
): Promise<TestOperator> {
  const { id } = await inviteOperator({ db, clock: aClock() }, { email, name: 'Pat Person', roles, clubIds });
  const token = await beginSession(db, id, method);
  return { id, email, cookie: `__Host-console=${token}` };
}

/** Returns an operation's example, with another id in place of what may be there once. */
export const exampleOf = ({ example = {} }: ConsoleOperation): Record<string, unknown> =>
  JSON.parse(JSON.stringify(example).replaceAll(freshId, randomUUID()));

export interface ConsoleAnswer<Body> {
  status: number;
  body: Body & ErrorBody;
  /** The session that the answer leaves the browser with. */
  cookie: string | undefined;
}

/** Calls an operation as the console in a browser does. */
export async function callConsole<Op extends ConsoleOperation>(
  app: FastifyInstance,
  operation: Op,
  input: unknown,
  { cookie, headers = {} }: { cookie?: string | undefined; headers?: Record<string, string> } = {},
): Promise<ConsoleAnswer<z.output<Op['output']>>> {
  const isGet = operation.method === 'GET';
  const response = await app.inject({
    method: operation.method,
    url: `/console/api${operation.path}`,
    headers: {
      host: 'console.sparechange.example',
      'x-sparechange-console': '1',
      ...(cookie === undefined ? {} : { cookie }),
      ...(isGet ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(isGet ? { query: input as Record<string, string> } : { payload: JSON.stringify(input) }),
  });
  const set = response.headers['set-cookie'];
  return { status: response.statusCode, body: response.json(), cookie: String(set ?? '').split(';')[0] || undefined };
}
