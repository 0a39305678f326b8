import { consoleOperations } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { actInWords, actsNamed } from './act-words.ts';

const action = 'console agreeToApproval';

test('an act is shown as done only if it was', () => {
  expect(actInWords({ action, refusal: null })).toBe('Agreed as a second person');
  expect(actInWords({ action, refusal: 'not-allowed' })).toBe('Agreed as a second person: refused (not allowed)');
  expect(actInWords({ action, refusal: 'provider-unavailable' })).toBe(
    'Agreed as a second person: failed, perhaps after a part of it (the bank or payment service did not answer)',
  );
});

test('an export names its list', () => {
  const words = (name: string) => actInWords({ action: `console export ${name}`, refusal: null });
  expect(words('listAuditEntries')).toBe('Exported audit entries');
  for (const { name } of consoleOperations.filter((each) => each.name.startsWith('list')))
    expect(words(name)).toMatch(/^Exported( [a-z]+)+$/);
});

test('an entry of others is in words already, and a command as it is typed', () => {
  expect(actInWords({ action: 'approval agreed to', refusal: null })).toBe('Approval agreed to');
  expect(actInWords({ action: 'ops keys list', refusal: null })).toBe('ops keys list');
});

test.each(
  consoleOperations.filter(({ allowed, readsOnly, audited }) => allowed !== 'anyone' && (!readsOnly || audited)),
)('$name has words', ({ name }) =>
  expect(actInWords({ action: `console ${name}`, refusal: null })).not.toMatch(/console/i),
);

test('acts are found by their words', () => {
  expect(actsNamed('signed IN')).toBe('console signIn');
  expect(actsNamed('second person').split(',')).toContain('console agreeToApproval');
  expect(actsNamed('nothing of the kind')).toBe('');
});
