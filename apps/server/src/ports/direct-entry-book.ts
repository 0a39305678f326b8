import type { Cents, IsoDate, ReturnCode } from '@sparechange/domain';
import type { MandateRequest } from './direct-debit.ts';

export type OrderKind = 'debit' | 'payout';

/** The holder of the account of an order; kept encrypted, and only as long as a file needs it. */
export interface AccountHolder {
  name: string;
  bsb: string;
  accountNumber: string;
}

export interface HeldMandate {
  ceiling: Cents;
  /** Undefined where it cannot be decrypted. */
  account: AccountHolder | undefined;
}

export interface NewEntry {
  reference: string;
  kind: OrderKind;
  orderId: string;
  amount: Cents;
  dueOn: IsoDate;
  remitter: string;
  account: AccountHolder;
}

export interface Entry {
  reference: string;
  kind: OrderKind;
  orderId: string;
  amount: Cents;
  /** accepted: waits for a file. written: in one. */
  state: 'accepted' | 'written' | 'cleared' | 'returned';
  code: ReturnCode | null;
  acceptedAt: Date;
  changedAt: Date;
}

export type WaitingEntry = Pick<NewEntry, 'reference' | 'amount' | 'dueOn' | 'remitter' | 'account'>;

/** Orders for the next file. */
export interface Waiting {
  /** Those whose account can be read, the earliest due first. */
  entries: WaitingEntry[];
  /** The references of the others found on the way: no file can have them. */
  unreadable: string[];
}

export interface NewFile {
  name: string;
  kind: OrderKind;
  processOn: IsoDate;
  content: string;
  contentHash: string;
  totalCents: Cents;
  references: string[];
}

export interface KeptFile {
  name: string;
  contentHash: string;
  items: number;
  state: 'written' | 'lodged' | 'withdrawn';
  processOn: IsoDate;
  clearsOn: IsoDate | null;
}

/** Result of taking the mark as lodged off a file; all but the first leave it as it is. */
export type Unlodging = 'unlodged' | 'not lodged' | 'lodged at another time' | 'clears' | 'returned' | 'on statement';

/** Result of withdrawing a file; all but the first leave it as it is. */
export type Withdrawing = 'withdrawn' | 'withdrawn before' | 'lodged' | 'returned' | 'on statement';

/**
 * The store of the direct-entry adapter: mandates, orders, files and returns. Every step is committed when its promise
 * is kept. Throws ProviderUnavailable while the database is unavailable.
 */
export interface DirectEntryBook {
  /** Runs `work` while no other process puts a file for the bank or withdraws one, until the signal is aborted. */
  withFilesLocked<Result>(work: (lost: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Keeps a mandate unless one has that id already. */
  keepMandate(request: MandateRequest, at: Date): Promise<void>;
  /** Ends a mandate and forgets its account number. */
  cancelMandate(id: string, at: Date): Promise<void>;
  /** The mandates in effect among these. */
  findMandates(ids: string[]): Promise<Map<string, HeldMandate>>;

  /** Keeps new orders; returns all as held, by reference. */
  keepEntries(entries: NewEntry[], at: Date): Promise<Map<string, Entry>>;
  findEntries(references: string[]): Promise<Map<string, Entry>>;
  entriesChangedSince(since: Date): AsyncIterable<Entry>;
  entriesAcceptedSince(since: Date): AsyncIterable<Entry>;
  /** Lists orders for the next file, at most `limit` of those that can be read. */
  listWaiting(kind: OrderKind, limit: number): Promise<Waiting>;
  /** Marks as cleared the orders in files that clear on or before that day, except those that have come back. */
  clearDue(day: IsoDate, at: Date): Promise<void>;

  countFiles(kind: OrderKind, processOn: IsoDate): Promise<number>;
  /** Keeps a file and puts its orders into it; false, with nothing kept, when another process was faster. */
  keepFile(file: NewFile, at: Date): Promise<boolean>;
  findFile(name: string): Promise<KeptFile | undefined>;
  /** Files the bank has not taken yet, one by one. */
  unlodgedFiles(): AsyncIterable<{ name: string; content: string }>;
  /** Lists files cleared since then and no longer needed. */
  listDoneFiles(since: Date): Promise<string[]>;
  /** False when the file was lodged or withdrawn before. */
  lodgeFile(name: string, clearsOn: IsoDate, at: Date): Promise<boolean>;
  /** Takes the mark as lodged off a file that clears after that day, unless the bank's returns or statement show the file. */
  unlodgeFile(
    name: string,
    by: { today: IsoDate; seen: Date | undefined; balancingReference: string },
  ): Promise<Unlodging>;
  /** Withdraws a file that is not lodged, unless the bank's returns or statement name the file. */
  withdrawFile(name: string, balancingReference: string, at: Date): Promise<Withdrawing>;
  /**
   * Takes returns in once by the hash of their file, and again where it had problems; `ofReturned` are those of lines whose
   * order had come back before. False, with nothing returned, when it was read before and says nothing new.
   */
  keepReturns(
    file: { name: string; contentHash: string; problems: string[]; ofReturned: string[] },
    returned: { reference: string; code: ReturnCode }[],
    at: Date,
  ): Promise<boolean>;
}
