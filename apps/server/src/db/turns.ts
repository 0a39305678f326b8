/** Gives each of several things its turns; one that fails has no more, and does not block the others. */
export class Turns<Item> {
  readonly failures: unknown[] = [];
  readonly #items: Set<Item>;

  constructor(items: Iterable<Item>) {
    this.#items = new Set(items);
  }

  /** Those that have not failed. */
  get left(): Item[] {
    return [...this.#items];
  }

  /** Gives each a turn, in their order; one that returns true has another after the others. */
  async take(turn: (item: Item) => Promise<boolean>): Promise<void> {
    const waiting = new Set(this.#items);
    for (const item of waiting) {
      waiting.delete(item);
      try {
        if (await turn(item)) waiting.add(item);
      } catch (error) {
        this.failures.push(error);
        this.#items.delete(item);
      }
    }
  }

  /** Gives each one turn, side by side. */
  async takeTogether(turn: (item: Item) => Promise<void>): Promise<void> {
    const taking = this.left.map(async (item) => {
      try {
        await turn(item);
      } catch (error) {
        this.failures.push(error);
        this.#items.delete(item);
      }
    });
    await Promise.all(taking);
  }

  /** Throws the failure, or an `AggregateError` of several; does nothing if there was none. */
  throwFailures(): void {
    throwAll(this.failures);
  }
}

/** Throws the failure, or an `AggregateError` of several; does nothing if there is none. */
export function throwAll(failures: unknown[]): void {
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of them failed.`);
  if (failures.length === 1) throw failures[0];
}
