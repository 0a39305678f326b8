import type { AuditEntry } from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';

/** Frequent commands in words; others are shown as they were typed. */
const wordsOfCommands: Record<string, string> = {
  'ops approvals agree': 'Agreed by command',
  'ops approvals people': 'Set how many people agree',
  'ops approvals refuse': 'Refused by command',
  'ops clubs add': 'Added a club by command',
  'ops consent-run': 'Checked the consents by command',
  'ops console invite': 'Invited by command',
  'ops debit-run': 'Made a debit run by command',
  'ops debit-run resume': 'Resumed debits by command',
  'ops debit-run suspend': 'Suspended debits by command',
  'ops remit': 'Paid the clubs by command',
  'ops settle': 'Collected outcomes by command',
  'ops sync': 'Fetched transactions by command',
};

const id = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Returns a text without ids, which nobody reads; "a supporter" where one stood for a person. */
export const withoutIds = (text: string): string =>
  text
    .replaceAll(new RegExp(`\\bsupporter ${id.source}`, 'g'), 'a supporter')
    .replaceAll(id, '')
    .trim();

/** Returns the ids of the supporters that stand in a command's words. */
export const supportersNamed = (words: string): string[] =>
  [...words.matchAll(new RegExp(`\\bsupporter (${id.source})`, 'g'))].flatMap(([, found]) => found ?? []);

/** "Moved the clock by 26 days"; undefined for a command that has no words of its own. */
export function commandInWords({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string | undefined {
  if (action !== 'ops advance') return wordsOfCommands[action];
  const { days, to } = details;
  if (days !== undefined) return `Moved the clock by ${counted(Number(days), 'day')}`;
  return to === undefined ? undefined : `Moved the clock to ${String(to).replace('T', ', ')}`;
}
