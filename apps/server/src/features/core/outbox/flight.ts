/** Work in flight, a limited number at a time; its outcome is noted once it has landed. */
export class Flight {
  readonly #most: number;
  readonly #isOver: () => boolean;
  readonly #notes = new Set<Promise<void>>();
  #inFlight = 0;
  #begun = 0;
  #changed = Promise.withResolvers<void>();

  constructor(most: number, isOver: () => boolean) {
    this.#most = most;
    this.#isOver = isOver;
  }

  /** Number begun so far. */
  get begun(): number {
    return this.#begun;
  }

  /** Waits until there is room for one more; returns false where nothing may begin any more. */
  async hasRoom(): Promise<boolean> {
    while (this.#inFlight >= this.#most && !this.#isOver()) await this.#changed.promise;
    return !this.#isOver();
  }

  /** Wakes the callers of hasRoom to look again. */
  readonly lookAgain = (): void => {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  };

  /** Begins work; neither it nor its note may fail. */
  begin<Outcome>(work: Promise<Outcome>, note: (outcome: Outcome) => Promise<void>): void {
    this.#inFlight += 1;
    this.#begun += 1;
    const landed = work.then((outcome) => {
      this.#inFlight -= 1;
      this.lookAgain();
      return note(outcome);
    });
    this.waitFor(landed);
  }

  /** Counts as part of the flight until it is done. */
  waitFor(note: Promise<void>): void {
    this.#notes.add(note);
    void note.finally(() => this.#notes.delete(note));
  }

  /** Waits until all has landed and is noted. */
  async end(): Promise<void> {
    while (this.#notes.size > 0) await Promise.all(this.#notes);
  }
}
