import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Page {
  limit: number;
  offset: number;
  number: number;
}

const positive = (text: unknown, otherwise: number): number => {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : otherwise;
};

/** 25 a page by default, never more than 100. */
export function pageOf(request: FastifyRequest<{ Querystring: Record<string, unknown> }>): Page {
  const limit = Math.min(positive(request.query.per_page, 25), 100);
  const number = positive(request.query.page, 1);
  return { limit, offset: (number - 1) * limit, number };
}

/** Sends one page out of rows that were asked for with one more than fits; that one shows there is a next page. */
export function sendPage<Row>(
  reply: FastifyReply,
  origin: string,
  rows: Row[],
  page: Page,
  present: (row: Row) => object,
): FastifyReply {
  if (rows.length > page.limit) {
    const next = new URL(reply.request.url, origin);
    next.searchParams.set('page', String(page.number + 1));
    reply.header('link', `<${next.href}>; rel="next"`);
  }
  return reply.header('per-page', String(page.limit)).send({ data: rows.slice(0, page.limit).map(present) });
}
