import { expect, test } from 'vitest';
import { isReservedSlug } from './reserved-slugs.ts';

const id = 'b0b0b0b0-0000-4000-8000-000000000001';

test.each(['login', 'Signin', 'help', 'about', 'privacy', 'console', 'robots.txt', 'favicon.ico', '__', id])(
  '%s is never the slug of a club',
  (slug) => expect(isReservedSlug(slug)).toBe(true),
);

test.each(['wattle-creek-fc', 'loginville', 'club-25', `${id}-2`])('%s may be one', (slug) =>
  expect(isReservedSlug(slug)).toBe(false),
);
