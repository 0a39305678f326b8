/** First parts of the product's addresses, never names of clubs. */
const reserved = new Set([
  'about',
  'advice-mails',
  'api',
  'assets',
  'club',
  'clubs',
  'confirmed',
  'console',
  'consented',
  'dashboard',
  'debit-mails',
  'expired-consent',
  'extend-consent',
  'finished',
  'funding-accounts',
  'hand-off',
  'healthz',
  'help',
  'history',
  'icon',
  'join',
  'launch-consent',
  'linked-accounts',
  'login',
  'logout',
  'metrics',
  'pages',
  'previous-page',
  'privacy',
  'readyz',
  'register',
  'register2',
  'roundup-accounts',
  'share',
  'signin',
  'skip-debit',
  'support',
  'tenants',
  'terms',
  'verify',
  'vitals',
  'webhooks',
]);

/** Matches an id: clubs are found by their id or slug, and one of them must never mean another club. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Neither files such as robots.txt nor ids are slugs. */
export const isReservedSlug = (slug: string): boolean =>
  reserved.has(slug.toLowerCase()) || !/^[a-z0-9-]+$/i.test(slug) || id.test(slug);
