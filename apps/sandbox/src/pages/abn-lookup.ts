import type { FastifyInstance } from 'fastify';

/** An ABN that nobody has here. */
const unknownAbn = '53004085616';

/** Plays the ABN Lookup of the Australian Business Register: every other number is an active business. */
export function abnLookupPage(app: FastifyInstance): void {
  app.get<{ Querystring: { abn?: string } }>('/abn-lookup', async ({ query }, reply) => {
    const abn = String(query.abn ?? '');
    const isKnown = /^\d{11}$/.test(abn) && abn !== unknownAbn;
    const details = isKnown
      ? {
          Abn: abn,
          AbnStatus: 'Active',
          EntityName: `SANDBOX CLUB ${abn.slice(-3)} INC`,
          BusinessName: [],
          Message: '',
        }
      : { Abn: '', AbnStatus: '', EntityName: '', BusinessName: [], Message: 'No record found' };
    return reply.type('application/javascript').send(`callback(${JSON.stringify(details)})`);
  });
}
