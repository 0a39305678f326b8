import type { ReservedDb } from '@sparechange/server/db/connect.ts';
import type { OpenTransaction } from '@sparechange/server/db/statement.ts';

/**
 * The sessions of one process that it has to itself. What a server would take from them once their process has ended,
 * locks, temporary tables and open transactions, is taken here, and the connections with their plans go to its successor.
 */
export class HeldSessions {
  private readonly reserved = new Set<ReservedDb>();
  private readonly transactions = new Set<OpenTransaction>();

  hold(session: ReservedDb): void {
    this.reserved.add(session);
  }

  release(session: ReservedDb): void {
    if (this.reserved.delete(session)) session.release();
  }

  holdTransaction(transaction: OpenTransaction): void {
    this.transactions.add(transaction);
  }

  async closeTransaction(transaction: OpenTransaction): Promise<void> {
    if (this.transactions.delete(transaction)) await transaction.close();
  }

  /** Takes everything from a process that has ended. */
  async takeAll(): Promise<void> {
    for (const transaction of this.transactions) await this.closeTransaction(transaction);
    for (const session of this.reserved) {
      await session.unsafe('rollback');
      await session.unsafe('select pg_advisory_unlock_all(); discard temp; reset all');
      this.release(session);
    }
  }
}
