import {
  type AuditEntry,
  listAuditEntries,
  type RetrievedAuditState,
  retrieveAuditState,
  verifyAuditLog,
} from '@sparechange/contract/console';
import { auditDetail } from '@sparechange/domain/audit-detail';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { z } from 'zod';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { DayFields, FoldedFilters, SearchField } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import { actInWords, actsNamed } from './audit-log/act-words.ts';
import styles from './audit-log/audit-log.module.css';
import { commandInWords, supportersNamed, withoutIds } from './audit-log/command-words.ts';

/** Reads an object, or the JSON text of one, the form in which a request's arguments are kept. */
function fieldsOf(value: unknown): object | undefined {
  try {
    const read = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
    return typeof read === 'object' && !Array.isArray(read) ? (read ?? undefined) : undefined;
  } catch {
    return undefined; // somebody typed it
  }
}

/** Returns whether a value is a bare, unreadable id. */
const isId = (value: unknown): boolean => z.guid().safeParse(value).success;

const listOf = (values: unknown[]) =>
  values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)).join(', ');

/** Puts details into words; for an export with ids. */
function wordsOf(details: object, withIds: boolean): string[] {
  const isLeftOut = (value: unknown) => value === '' || value === null || (!withIds && isId(value));
  return Object.entries(details).flatMap(([name, value]) => {
    const fields = fieldsOf(value);
    if (fields) return wordsOf(fields, withIds);
    const label = name.replace(/Id$/, '');
    if (!Array.isArray(value)) return isLeftOut(value) ? [] : `${label}: ${auditDetail(name, value)}`;
    const said = value.filter((each) => withIds || !isId(each));
    return said.length === 0 && value.length > 0 ? [] : `${label}: ${listOf(said)}`;
  });
}

/** Names an entry's act: a command as it was typed, with its options among the details. */
function doneIn(entry: AuditEntry): string {
  const { words } = entry.details;
  return isCommand(entry) && typeof words === 'string' ? `${actInWords(entry)} ${words}`.trim() : actInWords(entry);
}

/** Names an entry's act as it is read: a command in words, or as it was typed without its ids. */
function shownAct(entry: AuditEntry): string {
  const command = isCommand(entry) ? commandInWords(entry) : undefined;
  const words = withoutIds(String(entry.details.words ?? ''));
  if (command) return [command, words].filter(Boolean).join(': ');
  return isCommand(entry) ? withoutIds(doneIn(entry)) : doneIn(entry);
}

const isCommand = ({ action }: AuditEntry): boolean => action.startsWith('ops ');

/** Returns an entry's details not already named by its act. */
const otherDetails = (entry: AuditEntry): object =>
  isCommand(entry) ? { ...entry.details, words: null } : entry.details;

/** Options that the words of a command say. */
const saidInWords: Record<string, object> = { 'ops advance': { days: null, to: null } };

/** A call of the console or a command, with the entries it caused. */
export interface ShownEntry extends AuditEntry {
  parts?: AuditEntry[];
}

/** A person's other entries count as caused by their call or command within this time. */
const actWithinMs = 10_000;

/**
 * Groups each console call and command with the entries it caused, which are the same person's next ones. Entries are
 * listed newest first, so a call follows its parts.
 */
export function actsOf(entries: readonly AuditEntry[]): ShownEntry[] {
  const shown: ShownEntry[] = [];
  let parts: AuditEntry[] = [];
  for (const entry of entries) {
    const isCall = /^(console|ops) /.test(entry.action);
    const own = isCall ? parts.filter((part) => isPartOf(part, entry)) : [];
    shown.push(...parts.filter((part) => isCall && !own.includes(part)));
    if (isCall) {
      shown.push(own.length > 0 ? { ...entry, parts: own } : entry);
      parts = [];
    } else parts.push(entry);
  }
  return [...shown, ...parts];
}

const isPartOf = (part: AuditEntry, call: AuditEntry): boolean =>
  part.by !== null && part.by === call.by && Date.parse(part.at) - Date.parse(call.at) <= actWithinMs;

/** Words for an entry and its parts, without repetition. */
const detailsOf = (entry: ShownEntry, { withIds = false } = {}): string => {
  const { parts = [] } = entry;
  const details = [entry, ...parts].flatMap((each) => {
    const said = withIds ? undefined : saidInWords[each.action];
    return wordsOf({ ...otherDetails(each), ...said }, withIds);
  });
  return [...new Set([...parts.toReversed().map(actInWords), ...details])].join(', ');
};

const whoOf = ({ by, actor }: AuditEntry) => by ?? actor;

/** Returns the ids of the supporters that an entry names, its arguments included. */
const supportersIn = (details: object): string[] =>
  Object.entries(details).flatMap(([name, value]) => {
    const fields = fieldsOf(value);
    if (fields) return supportersIn(fields);
    if (name === 'words' && typeof value === 'string') return supportersNamed(value);
    return /^supporter(Id)?$/.test(name) && isId(value) ? String(value) : [];
  });

/** The column for the act, with a link to the supporter concerned. An export includes the ids. */
export const what: Column<ShownEntry> = {
  title: 'What',
  text: (entry) => [doneIn(entry), detailsOf(entry, { withIds: true })].filter(Boolean).join('; '),
  show: (entry) => (
    <>
      {shownAct(entry)}
      <span className={styles.details}>{detailsOf(entry)}</span>
      {[...new Set([entry, ...(entry.parts ?? [])].flatMap((each) => supportersIn(each.details)))].map((id) => (
        <Link key={id} to={`/supporters/${id}`} className={styles.supporter}>
          Supporter
        </Link>
      ))}
    </>
  ),
};

const columns: Column<ShownEntry>[] = [
  instantColumn('When', ({ at }) => at),
  { title: 'Who', text: whoOf, show: (entry) => <span className={styles.who}>{whoOf(entry)}</span> },
  what,
];

/** Says how far the log was checked; until that is known, describes the log. */
const leadOf = (state: RetrievedAuditState | undefined): string => {
  if (!state) return 'Who did what.';
  if (!state.checkpoint) return 'Who did what. No checkpoint has been made yet; one is made every hour.';
  const { number, madeAt, entries } = state.checkpoint;
  return `Verified to checkpoint ${number}, ${instantInWords(madeAt)}: ${counted(entries, 'entry', 'entries')}.`;
};

const changed = [retrieveAuditState, listAuditEntries];

const Check = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    title="Check the audit log"
    action="Check now"
    act={() => call(verifyAuditLog, {})}
    changes={changed}
    after={({ outcome }) => {
      if (!outcome)
        return <Notice kind="information">It is taking longer. This page warns if anything is found.</Notice>;
      const { entries, found, first } = outcome;
      const checked = `${counted(entries, 'entry', 'entries')} checked`;
      if (found === 0) return <Notice kind="information">{checked}; nothing was found.</Notice>;
      return (
        <>
          <Notice>
            {checked}; {counted(found, 'problem')} found{found > first.length && `, the first ${first.length}`}:
          </Notice>
          <ul className={styles.found}>
            {first.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      );
    }}
    onClose={onClose}
  >
    {() => (
      <p>
        A checkpoint is made of new entries, and every entry is checked against the checkpoints, in the database and
        outside it. Nothing is changed. A long log takes minutes.
      </p>
    )}
  </ActDialog>
);

/** Shows who did what, with a warning if somebody has tampered with the log. */
export default function AuditLog() {
  const { filter, setFilter } = useFilter('search', 'from', 'to', 'supporterId', 'personId');
  const state = useAnswer(retrieveAuditState, {});
  const [isChecking, setChecking] = useState(false);
  return (
    <PageFrame
      title="Audit log"
      lead={leadOf(state.data)}
      actions={<Button onClick={() => setChecking(true)}>Check now</Button>}
    >
      {state.error && <Notice>It could not be read whether the log was changed. {sentenceOf(state.error)}</Notice>}
      {state.data?.changedAt && (
        <Notice>
          A change of the log was found on {instantInWords(state.data.changedAt)}. “Check now” names the first entries.
        </Notice>
      )}
      <FoldedFilters
        search={<SearchField value={filter.search ?? ''} onChange={(value) => setFilter('search', value)} />}
        others={[filter.from, filter.to]}
      >
        <DayFields filter={filter} onChange={setFilter} />
      </FoldedFilters>
      <List
        name="Audit log"
        operation={listAuditEntries}
        filter={filter.search ? { ...filter, acts: actsNamed(filter.search) } : filter}
        columns={columns}
        together={actsOf}
        empty="No entry matches this filter."
      />
      {isChecking && <Check onClose={() => setChecking(false)} />}
    </PageFrame>
  );
}
