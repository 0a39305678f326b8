import { expect, test } from 'vitest';
import { isReservedSlug } from './reserved-slugs.ts';

test.each(['login', 'Signin', 'help', 'about', 'privacy', 'console', 'robots.txt', 'favicon.ico', '__'])(
  '%s is never the slug of a club',
  (slug) => expect(isReservedSlug(slug)).toBe(true),
);

test.each(['wattle-creek-fc', 'loginville', 'club-25'])('%s may be one', (slug) =>
  expect(isReservedSlug(slug)).toBe(false),
);
