import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = join(import.meta.dirname, '..');
/** White and black that stay the same at night: backgrounds of logos, knobs, shadows and the status line. */
const known = [
  'features/clubs/club-mark.module.css',
  'features/clubs/club-picker.module.css',
  'features/tenants/brand-logo.module.css',
  'ui/dialog.module.css',
  'ui/status-line.module.css',
  'ui/switch.module.css',
];

test('colours are tokens of base.css, which has one of each for day and for night', () => {
  const withColours = globSync('**/*.module.css', { cwd: sources }).filter((file) =>
    /#[0-9a-f]{3,8}\b|\brgb\(|: (white|black)\b(?!-)/i.test(
      readFileSync(join(sources, file), 'utf8').replaceAll(/white-space[^;]*;/g, ''),
    ),
  );
  expect(withColours.sort()).toEqual(known);
});
