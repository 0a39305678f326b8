import type { Cents, IsoDate } from '@sparechange/domain';

/** Something about a bank file that the operator has to see to; the message says what, without account numbers. */
export class BankFileProblem extends Error {
  override name = 'BankFileProblem';
}

export interface WrittenFile {
  name: string;
  kind: 'debit' | 'payout';
  processOn: IsoDate;
  /** Orders in it; the balancing line is not counted. */
  items: number;
  totalCents: Cents;
}

export interface LodgedFile {
  name: string;
  result: 'lodged' | 'already lodged';
  /** From this day on, unreturned orders count as cleared. */
  clearsOn: IsoDate;
}

export interface ReturnsRead {
  result: 'read' | 'already read';
  /** Orders that came back with this file. */
  returned: number;
  /** Lines that returned nothing of ours, with number and reason. */
  problems: string[];
}

export interface WithdrawnFile {
  name: string;
  result: 'withdrawn' | 'already withdrawn';
  /** Orders that were in it. */
  items: number;
}

export interface UnlodgedFile {
  name: string;
  result: 'not lodged' | 'already not lodged';
}

/** An operator's acts with bank files. Throws BankFileProblem. */
export interface BankFiles {
  /** The word that the bank has a file: an operator's, or none where the bank's own software fetches each. */
  readonly lodging: 'by operator' | 'when written';
  /**
   * Puts everything accepted into files, each once, and every file not yet lodged into the outbox; where the bank's software
   * fetches them, they count as lodged from then on. Again, it adds nothing. `unreadable` are references of orders whose account
   * cannot be decrypted: they wait, in no file.
   */
  write(): Promise<{ folder: string; files: WrittenFile[]; unreadable: string[] }>;
  /** Notes that the bank has taken a file; `content` is the lodged text, where the operator still has it. */
  markLodged(name: string, content?: string): Promise<LodgedFile>;
  /**
   * Takes the mark as lodged off a file that the bank does not have, before the file clears. Refused where the bank's returns or
   * statement name the file, and where it was lodged at another time than `seen`.
   */
  markNotLodged(name: string, seen?: Date): Promise<UnlodgedFile>;
  /** Records that the bank did not take a file: its orders go into the next one, the file itself is never lodged. */
  withdraw(name: string): Promise<WithdrawnFile>;
  /** Takes a bank's file of returns in, once. Returned orders are in `outcomesSince` from then on. */
  readReturns(name: string, content: string): Promise<ReturnsRead>;
}
