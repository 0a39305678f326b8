import type { FastifyInstance } from 'fastify';

const aHalfYearMs = 182 * 86_400_000;

/** Serves where a password is changed, for password managers, and whom to report a vulnerability to (RFC 9116). */
export function wellKnownRoutes(app: FastifyInstance, { productDomain }: { productDomain: string }): void {
  // The login screen has the way to a new password, for whoever is signed in as well.
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/login', 302));
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(Date.now() + aHalfYearMs).toISOString();
    const lines = [`Contact: mailto:support@${productDomain}`, `Expires: ${expires}`, 'Preferred-Languages: en'];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
