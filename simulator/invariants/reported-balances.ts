import { type Cents, cents, parseDollars } from '@sparechange/domain';
import type { VirtualClock } from '../scheduler/virtual-clock.ts';

interface Asked {
  at: Date;
  /** The bank link's id of it; undefined where another piece of work begins. */
  account?: string;
  balance?: Cents | undefined;
}

/** Records the balances that the bank link reported, as they came over the wire. */
export class ReportedBalances {
  private asked: Asked[] = [];
  private readonly clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** Begins a piece of work, which knows no balance reported to an earlier one. */
  begin(): void {
    this.asked.push({ at: this.clock.peek() });
  }

  /** Passes a call on and records the answer's balance. */
  async watch(url: string, call: () => Promise<Response>): Promise<Response> {
    const account = /^\/basiq\/users\/[^/]+\/accounts\/([^/]+)$/.exec(new URL(url).pathname)?.[1];
    if (!account) return call();
    const asked: Asked = { at: this.clock.peek(), account };
    this.asked.push(asked);
    const answer = await call();
    if (answer.status === 200) asked.balance = lowestOf(await answer.text());
    return answer;
  }

  /** Returns when the work of a moment began. One that begins at that very moment follows a crash of the other. */
  workOf(at: Date): Date | undefined {
    return this.asked.findLast((each) => each.account === undefined && each.at < at)?.at;
  }

  /** Returns the balances reported to the work of a moment by then, the last first; undefined for no answer. */
  before(account: string, at: Date): (Cents | undefined)[] {
    const began = this.asked.findLastIndex((each) => each.account === undefined && each.at < at);
    return this.asked
      .slice(began + 1)
      .filter((each) => each.at <= at)
      .filter((each) => each.account === account)
      .map(({ balance }) => balance)
      .reverse();
  }

  forget(): void {
    this.asked = [];
  }
}

/** Returns the available balance of an answer; none where the bank can no longer be asked: its figure is old. */
function lowestOf(body: string): Cents | undefined {
  const { status, balance, availableFunds } = JSON.parse(body) as Record<string, string | undefined>;
  if (status !== 'available') return undefined;
  const reported = [balance, availableFunds].flatMap((text) => {
    const amount = parseDollars((text ?? '').replace('-', ''));
    return amount === undefined ? [] : [text?.startsWith('-') ? -amount : amount];
  });
  return reported.length === 0 ? undefined : cents(Math.min(...reported));
}
