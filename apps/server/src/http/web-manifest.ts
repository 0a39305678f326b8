import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tenant } from '#tenants/load-tenants.ts';
import { iconPath } from '#tenants/tenant-site.ts';

interface ManifestDeps {
  tenantAt: (request: FastifyRequest) => Tenant;
}

const icon = (tenant: Tenant, size: 192 | 512, purpose: 'any' | 'maskable') => ({
  src: iconPath(tenant, size, purpose),
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** Serves what phones need to install a brand's app: name, colours and icons (W3C Web Application Manifest). */
export function manifestRoute(app: FastifyInstance, { tenantAt }: ManifestDeps): void {
  app.get('/manifest.webmanifest', async (request, reply) => {
    const tenant = tenantAt(request);
    const manifest = {
      id: '/',
      name: tenant.name,
      description: tenant.biline.primary,
      lang: 'en-AU',
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      theme_color: '#ffffff', // the app bar
      background_color: '#ffffff',
      icons: [
        icon(tenant, 192, 'any'),
        icon(tenant, 512, 'any'),
        icon(tenant, 192, 'maskable'),
        icon(tenant, 512, 'maskable'),
      ],
    };
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifest));
  });
}
