import type { AuditEntry } from '@sparechange/contract/console';
import { capitalised } from '../../words.ts';
import { wordsOfCalls } from './words-of-calls.ts';

/** Acts that are no calls of their own, by their code in the audit log. */
const otherActs: Record<string, string> = {
  'console signIn': 'Signed in',
  'console confirmSignIn': 'Confirmed with a passkey',
  'approval asked': 'Waits for a second person',
  'approval agreed': 'A second person agreed',
  'approval refused': 'The request was refused',
  'tenant files taken': 'Brand files imported',
};

/** Acts by their code in the audit log; those that are not listed are words already. */
const actsInWords: Record<string, string> = {
  ...otherActs,
  ...Object.fromEntries(Object.entries(wordsOfCalls).map(([name, words]) => [`console ${name}`, words])),
};

const faults = ['unexpected', 'unavailable', 'provider-unavailable'];

const refusalsInWords: Partial<Record<string, string>> = {
  'not-allowed': 'not allowed',
  'not-found': 'not found',
  'invalid-input': 'not valid',
  conflict: 'not possible then',
  'changed-meanwhile': 'somebody else changed it first',
  'requires-recent-login': 'not confirmed',
  'signed-out': 'signed out',
  'too-many-requests': 'too often',
  'provider-unavailable': 'the bank or payment service did not answer',
  unavailable: 'a database did not answer',
  unexpected: 'a fault of the product',
};

/** "Exported audit entries", of the list that was exported. */
const exportInWords = (action: string): string | undefined => {
  const [, list] = /^console export list(\w+)$/.exec(action) ?? [];
  return list && `Exported${list.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
};

/** Returns the codes of the acts whose words have these in them, separated by commas. */
export const actsNamed = (words: string): string =>
  Object.entries(actsInWords)
    .filter(([, named]) => named.toLowerCase().includes(words.trim().toLowerCase()))
    .map(([code]) => code)
    .join(',');

/** "Agreed as a second person: refused (not allowed)". */
export function actInWords({ action, refusal }: Pick<AuditEntry, 'action' | 'refusal'>): string {
  const words = action.startsWith('ops ') ? action : capitalised(action); // a command stays as it is typed
  const act = actsInWords[action] ?? exportInWords(action) ?? words;
  if (refusal === null) return act;
  const because = refusalsInWords[refusal] ?? refusal;
  return faults.includes(refusal)
    ? `${act}: failed, perhaps after a part of it (${because})`
    : `${act}: refused (${because})`;
}
