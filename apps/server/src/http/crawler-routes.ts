import type { FastifyInstance, FastifyRequest } from 'fastify';
import { escapeHtml } from '#html.ts';

interface CrawlerDeps {
  /** Returns a host's public pages' addresses, its own start first. */
  addressesAt: (request: FastifyRequest) => Promise<string[]>;
}

/** The most that a sitemap may hold. */
const maxAddresses = 50_000;

/** Tells search engines which pages exist, and which paths are not pages. */
export function crawlerRoutes(app: FastifyInstance, { addressesAt }: CrawlerDeps): void {
  app.get('/robots.txt', async (request, reply) => {
    const [start = '/'] = await addressesAt(request);
    const lines = ['User-agent: *', 'Disallow: /api/', `Sitemap: ${new URL('/sitemap.xml', start).href}`];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
  app.get('/sitemap.xml', async (request, reply) => {
    const addresses = (await addressesAt(request)).slice(0, maxAddresses);
    const urls = addresses.map((address) => `<url><loc>${escapeHtml(address)}</loc></url>`);
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
      );
  });
}
