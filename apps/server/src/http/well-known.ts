import type { FastifyInstance } from 'fastify';

const aHalfYearMs = 182 * 86_400_000;

interface WellKnownDeps {
  productDomain: string;
  /** Public keys as PEM. */
  dossierKeys: string;
}

/**
 * Serves the address to change a password, for password managers, the contact for vulnerabilities (RFC 9116), and the public keys
 * of dossiers.
 */
export function wellKnownRoutes(app: FastifyInstance, { productDomain, dossierKeys }: WellKnownDeps): void {
  // The login screen has the way to a new password, also for people who are signed in.
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/login', 302));
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(Date.now() + aHalfYearMs).toISOString();
    const lines = [`Contact: mailto:support@${productDomain}`, `Expires: ${expires}`, 'Preferred-Languages: en'];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
  app.get('/.well-known/dossier-keys.pem', (_request, reply) => reply.type('application/x-pem-file').send(dossierKeys));
}
