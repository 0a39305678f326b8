import { type IsoDate, sydneyDay } from '@sparechange/domain';
import { bankingDayOnOrAfter } from '@sparechange/domain/banking-calendar';
import {
  BankFileProblem,
  type BankFiles,
  type LodgedFile,
  type UnlodgedFile,
  type WithdrawnFile,
  type WrittenFile,
} from '#ports/bank-files.ts';
import type { DirectEntryBook, KeptFile, OrderKind, Unlodging, Withdrawing } from '#ports/direct-entry-book.ts';
import { addBankingDays, balancingReference, composeFile, hashOf, nextFileOf } from './compose-file.ts';
import { matchReturn } from './match-return.ts';
import { type Outbox, outboxIn } from './outbox.ts';
import { decodeReturns } from './returns.ts';
import type { DirectEntrySettings } from './settings.ts';

export interface BankFileOptions {
  settings: DirectEntrySettings;
  book: DirectEntryBook;
  now: () => Date;
  /** Tells the operator of an order that is in no file, as its account cannot be decrypted. */
  onUnreadableOrder: (reference: string) => Promise<void>;
}

/** A file that the operator has to see to. */
export interface FileProblem {
  name: string;
  problem: BankFileProblem;
}

/** Adds the function for banks that fetch files themselves. */
export interface LodgingFiles extends BankFiles {
  lodgeWaiting(): Promise<FileProblem[]>;
}

/** Returns the problem with a file that ends work, if one does. */
const problemOf = (work: Promise<unknown>): Promise<BankFileProblem | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof BankFileProblem) return error;
      throw error;
    },
  );

/** For this long after a file is done, each write makes sure that it is gone from the outbox. */
const tidyMs = 90 * 86_400_000;

const whyLodged: Record<Exclude<Unlodging, 'unlodged' | 'not lodged'>, string> = {
  'lodged at another time': 'has just been marked as lodged by somebody else; look again.',
  clears: 'clears today or has cleared: its orders count as carried out.',
  returned: 'stays lodged: an order of it came back from the bank, so the bank has it.',
  'on statement': 'stays lodged: a line of the bank statement names it or has its total, so the bank has it.',
};

const whyNotWithdrawn: Record<Exclude<Withdrawing, 'withdrawn' | 'withdrawn before'>, string> = {
  lodged: 'is marked as lodged: its orders may have been carried out.',
  returned: 'is not withdrawn: an order of it came back from the bank, so the bank has it. Mark it as lodged.',
  'on statement': 'is not withdrawn: a line of the bank statement names it, so the bank has it. Mark it as lodged.',
};

/** Limit on alarms of one write: where no key fits, no order can be read. */
const maxAlarmed = 20;

const kinds: OrderKind[] = ['debit', 'payout'];

/** Files are `debits-2026-11-23-1.aba`: what they do, the day they are processed on, and their number on that day. */
export function bankFiles({ settings, book, now, onUnreadableOrder }: BankFileOptions): LodgingFiles {
  const outbox: Outbox = outboxIn(settings.folder);
  const today = (): IsoDate => sydneyDay(now());

  /** Keeps the next file; leaves it to a faster process. */
  async function keepNext(kind: OrderKind, unreadable: Set<string>): Promise<WrittenFile | 'nothing' | 'again'> {
    const waiting = await book.listWaiting(kind, settings.maxRecords);
    for (const reference of waiting.unreadable) unreadable.add(reference);
    const next = nextFileOf(waiting.entries, today(), settings);
    if (!next) return 'nothing';
    const { processOn, entries } = next;
    const name = `${kind}s-${processOn}-${(await book.countFiles(kind, processOn)) + 1}.aba`;
    const { totalCents, ...composed } = composeFile(kind, name, next, settings);
    const references = entries.map(({ reference }) => reference);
    const file = { name, kind, processOn, totalCents };
    if (!(await book.keepFile({ ...file, ...composed, references }, now()))) return 'again';
    return { ...file, items: entries.length };
  }

  async function keepAll(): Promise<{ files: WrittenFile[]; unreadable: string[] }> {
    const files: WrittenFile[] = [];
    const unreadable = new Set<string>();
    for (const kind of kinds) {
      for (let file = await keepNext(kind, unreadable); file !== 'nothing'; file = await keepNext(kind, unreadable)) {
        if (file !== 'again') files.push(file);
      }
    }
    for (const reference of [...unreadable].slice(0, maxAlarmed)) await onUnreadableOrder(reference);
    return { files, unreadable: [...unreadable] };
  }

  /** Puts a file there that waits for the bank. If the bank fetches files itself, it counts as lodged today. */
  const put = (name: string, content: string): Promise<void> =>
    book.withFilesLocked(async (lost) => {
      if ((await requireFile(name)).state !== 'written') return; // another process was faster
      lost.throwIfAborted(); // another process may withdraw it
      if (settings.lodging === 'by operator') return outbox.put(name, content);
      await outbox.putOnce(name, content);
      await markLodged(name);
    });

  /** Puts each unlodged file there, continuing past one with a problem; removes those that are done. */
  async function fillOutbox(): Promise<FileProblem[]> {
    const problems: FileProblem[] = [];
    // From the database, so that what an earlier process kept and did not come to put there is there as well.
    for await (const { name, content } of book.unlodgedFiles()) {
      const problem = await problemOf(put(name, content));
      if (problem) problems.push({ name, problem });
    }
    for (const name of await book.listDoneFiles(new Date(now().getTime() - tidyMs))) await outbox.remove(name);
    return problems;
  }

  async function write(): ReturnType<BankFiles['write']> {
    const kept = await keepAll();
    const problems = await fillOutbox();
    if (problems.length > 0) throw new BankFileProblem(problems.map(({ problem }) => problem.message).join(' '));
    return { folder: outbox.folder, ...kept };
  }

  /** Writes files for the bank's fetching; returns the problems, which do not hold back other files. */
  async function lodgeWaiting(): Promise<FileProblem[]> {
    await keepAll();
    return fillOutbox();
  }

  async function requireFile(path: string): Promise<KeptFile> {
    const name = path.split('/').at(-1) ?? path;
    const file = await book.findFile(name);
    if (!file) throw new BankFileProblem(`${name} is not a file we wrote.`);
    return file;
  }

  /** Returns the day from which on a file counts as cleared, if it goes to the bank now. */
  function clearingDay({ processOn }: KeptFile): IsoDate {
    const processedOn = bankingDayOnOrAfter(processOn > today() ? processOn : today());
    return addBankingDays(processedOn, settings.clearingDays);
  }

  async function markLodged(path: string, content?: string): Promise<LodgedFile> {
    const file = await requireFile(path);
    const { name } = file;
    const lodged = content ?? (await outbox.read(name));
    if (file.state === 'written' && lodged !== undefined && hashOf(lodged) !== file.contentHash) {
      throw new BankFileProblem(`${name} is not as it was written: its content has changed since. Nothing was noted.`);
    }
    const clearsOn = clearingDay(file);
    if (await book.lodgeFile(name, clearsOn, now())) return { name, result: 'lodged', clearsOn };
    const before = await requireFile(name);
    if (!before.clearsOn) throw new BankFileProblem(`${name} was withdrawn; its orders are in another file.`);
    return { name, result: 'already lodged', clearsOn: before.clearsOn };
  }

  async function markNotLodged(path: string, seen?: Date): Promise<UnlodgedFile> {
    if (settings.lodging === 'when written') {
      throw new BankFileProblem(
        "The bank's software fetches files automatically: each counts as lodged once it is written.",
      );
    }
    const { name, state } = await requireFile(path);
    if (state === 'withdrawn') throw new BankFileProblem(`${name} was withdrawn; its orders are in another file.`);
    const by = { today: today(), seen, balancingReference: balancingReference(name) };
    const unlodging = await book.unlodgeFile(name, by);
    if (unlodging === 'unlodged' || unlodging === 'not lodged') await outbox.forget(name);
    if (unlodging === 'unlodged') return { name, result: 'not lodged' };
    if (unlodging === 'not lodged') return { name, result: 'already not lodged' };
    throw new BankFileProblem(`${name} ${whyLodged[unlodging]}`);
  }

  const withdraw = (path: string): Promise<WithdrawnFile> => book.withFilesLocked(() => withdrawAlone(path));

  async function withdrawAlone(path: string): Promise<WithdrawnFile> {
    const { name, items, state, contentHash } = await requireFile(path);
    const isFetchable = settings.lodging === 'when written' && state === 'written';
    if (isFetchable && !(await outbox.takeOut(name, contentHash)))
      throw new BankFileProblem(
        `${name} is not withdrawn: the bank's software has fetched it. The next settle marks it as lodged.`,
      );
    const withdrawing = await book.withdrawFile(name, balancingReference(name), now());
    if (withdrawing !== 'withdrawn' && withdrawing !== 'withdrawn before') {
      if (isFetchable) await outbox.putBack(name);
      throw new BankFileProblem(`${name} ${whyNotWithdrawn[withdrawing]}`);
    }
    await outbox.remove(name);
    return { name, result: withdrawing === 'withdrawn' ? 'withdrawn' : 'already withdrawn', items };
  }

  async function readReturns(name: string, content: string) {
    const lines = decodeReturns(content);
    const entries = await book.findEntries(lines.map(({ reference }) => reference));
    const matches = lines.map((line) => matchReturn(line, entries.get(line.reference), settings));
    const returned = matches.flatMap((match) => ('returned' in match ? [match.returned] : []));
    const problems = matches.flatMap((match) => ('problem' in match ? [match.problem] : []));
    const ofReturned = matches.flatMap((match, at) =>
      'problem' in match && entries.get(lines[at]?.reference ?? '')?.state === 'returned' ? [match.problem] : [],
    );
    const file = { name: name.split('/').at(-1) ?? name, contentHash: hashOf(content), problems, ofReturned };
    if (!(await book.keepReturns(file, returned, now()))) {
      const left = problems.filter((problem) => !ofReturned.includes(problem));
      return { result: 'already read' as const, returned: 0, problems: left };
    }
    return { result: 'read' as const, returned: returned.length, problems };
  }

  return { lodging: settings.lodging, write, lodgeWaiting, markLodged, markNotLodged, withdraw, readReturns };
}
