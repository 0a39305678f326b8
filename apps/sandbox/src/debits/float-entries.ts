import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isoInstant, parseInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { merchant, readOptions } from './account.ts';
import { badRequest, notFound, unprocessable } from './answers.ts';
import { type Entry, entriesBetween } from './float-movements.ts';

const path = `/bank_accounts/${merchant.bankAccountId}/entries`;

const present = ({ id, at, cents, description, balance }: Entry, origin: string) => ({
  id,
  created_at: isoInstant(at),
  description,
  amount: cents,
  available_balance_after: balance,
  links: { self: `${origin}${path}/${id}` },
});

const PerPage = z.coerce.number().int().catch(Number.NaN);
const windowMs = 2 * 365 * 86_400_000;

interface Query {
  min_created_date?: string;
  max_created_date?: string;
  per_page?: string;
  starting_after?: string;
}

function boundOf(name: string, text: string | undefined, otherwise: number, earliest: number): number {
  if (text === undefined) return otherwise;
  const instant = parseInstant(text);
  if (instant === undefined) throw unprocessable(`${name} is invalid`);
  if (instant < earliest)
    throw unprocessable(`${name} must not be earlier than the start of the 24-month availability window`);
  return instant;
}

export function floatEntryRoutes(app: FastifyInstance, { db, clock, origin }: World): void {
  app.get<{ Params: { id: string }; Querystring: Query }>('/bank_accounts/:id/entries', async (request, reply) => {
    const { params, query } = request;
    if (params.id !== merchant.bankAccountId || !readOptions(db).isFloat) throw notFound('Bank Account');
    const size = PerPage.parse(query.per_page ?? 20);
    if (Number.isNaN(size)) throw badRequest('per_page must be an integer');
    const perPage = Math.min(Math.max(size, 1), 100);
    const earliest = clock.now() - windowMs;
    const from = boundOf('min_created_date', query.min_created_date, earliest, earliest);
    const until = boundOf('max_created_date', query.max_created_date, clock.now(), earliest);
    const entries = entriesBetween(db, from, until);
    const after = query.starting_after === undefined ? -1 : entries.findIndex(({ id }) => id === query.starting_after);
    if (query.starting_after !== undefined && after < 0)
      throw unprocessable('starting_after is not an available entry');
    const page = entries.slice(after + 1, after + 1 + perPage);
    const last = page.at(-1);
    if (last && entries.length > after + 1 + perPage) {
      const next = new URL(request.url, origin);
      next.searchParams.set('starting_after', last.id);
      reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
    }
    return reply.header('per-page', String(perPage)).send({ data: page.map((entry) => present(entry, origin)) });
  });
}
