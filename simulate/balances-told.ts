import { type Cents, cents, parseDollars } from '@sparechange/domain';
import type { VirtualClock } from './virtual-clock.ts';

interface Asked {
  at: Date;
  /** The bank link's id of it; undefined where another piece of work begins. */
  account?: string;
  balance?: Cents | undefined;
}

/** The balances the product was told, as they came over the wire. */
export class BalancesTold {
  private asked: Asked[] = [];
  private readonly clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** A piece of work begins: it knows nothing of what an earlier one was told. */
  begin(): void {
    this.asked.push({ at: this.clock.peek() });
  }

  /** Passes a call on, and remembers what came of it where it asked for a balance. */
  async watch(url: string, call: () => Promise<Response>): Promise<Response> {
    const account = /^\/basiq\/users\/[^/]+\/accounts\/([^/]+)$/.exec(new URL(url).pathname)?.[1];
    if (!account) return call();
    const asked: Asked = { at: this.clock.peek(), account };
    this.asked.push(asked);
    const answer = await call();
    if (answer.status === 200) asked.balance = leastOf(await answer.text());
    return answer;
  }

  /** When the work that did something at a moment had begun. */
  workOf(at: Date): Date | undefined {
    return this.asked.findLast((each) => each.at <= at && each.account === undefined)?.at;
  }

  /** Returns the balances that the work of a moment had been told by then, the last first; undefined for no answer. */
  before(account: string, at: Date): (Cents | undefined)[] {
    const heard = this.asked.filter((each) => each.at <= at);
    const work = heard.slice(heard.findLastIndex((each) => each.account === undefined) + 1);
    return work
      .filter((each) => each.account === account)
      .map(({ balance }) => balance)
      .reverse();
  }

  forget(): void {
    this.asked = [];
  }
}

/** Returns the available balance of an answer; none where the bank can no longer be asked: its figure is old. */
function leastOf(body: string): Cents | undefined {
  const { status, balance, availableFunds } = JSON.parse(body) as Record<string, string | undefined>;
  if (status !== 'available') return undefined;
  const told = [balance, availableFunds].flatMap((text) => {
    const amount = parseDollars((text ?? '').replace('-', ''));
    return amount === undefined ? [] : [text?.startsWith('-') ? -amount : amount];
  });
  return told.length === 0 ? undefined : cents(Math.min(...told));
}
