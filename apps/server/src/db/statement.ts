import { type Args, compose, type Query } from './compose.ts';

/** A statement's rows, with the number returned or changed. */
export type Rows<Result extends readonly unknown[]> = Result & { readonly count: number };

/** Runs composed statements: on any connection of a pool, on one that is reserved, or in a transaction. */
export interface Session {
  run(query: Query): Promise<Rows<unknown[]>>;
  /** Returns the current transaction, or opens one for a cursor. */
  openTransaction(): Promise<OpenTransaction>;
}

export interface OpenTransaction {
  run: Session['run'];
  close(): Promise<void>;
}

/** Call sites by template, for stack traces: the driver's own end in its socket. */
const origins = new WeakMap<readonly string[], { stack?: string }>();
let cursors = 0;

/** A statement that runs when it is first awaited, or becomes a part of the statement it is placed in. */
export class Statement<Result extends readonly unknown[]> implements Promise<Rows<Result>> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly #session: Session;
  readonly #strings: readonly string[];
  readonly #args: Args;
  readonly #isPrepared: boolean;
  #running: Promise<Rows<Result>> | undefined;

  constructor(session: Session, strings: readonly string[], args: Args = [], isPrepared = true) {
    this.#session = session;
    this.#strings = strings;
    this.#args = args;
    this.#isPrepared = isPrepared;
    if (origins.has(strings)) return;
    const origin: { stack?: string } = {};
    Error.captureStackTrace(origin, Statement);
    origins.set(strings, origin);
  }

  /** Returns the text and appends its values to the given. */
  compose(values: unknown[]): string {
    return compose(this.#strings, this.#args, values);
  }

  /** Starts the statement without waiting. */
  execute(): this {
    this.#running ??= this.#run();
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaited like any promise, but a part of another statement must not run
  then<Done = Rows<Result>, Failed = never>(
    done?: ((rows: Rows<Result>) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#running ??= this.#run();
    return this.#running.then(done, failed);
  }

  catch<Failed = never>(
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Rows<Result> | Failed> {
    return this.then(null, failed);
  }

  finally(settled?: (() => void) | null): Promise<Rows<Result>> {
    return this.then().finally(settled);
  }

  /** Reads page by page; results may be larger than memory. */
  async *cursor(pageSize: number): AsyncGenerator<Result[number][]> {
    const { text, values } = this.#query();
    const name = `pages_${++cursors}`;
    const transaction = await this.#session.openTransaction();
    const run = (text: string, values: unknown[] = []) => transaction.run({ text, values, isPrepared: false });
    try {
      await run('set local cursor_tuple_fraction = 1'); // all of it is read
      await run(`declare ${name} no scroll cursor for ${text}`, values);
      for (let isDone = false; !isDone; ) {
        const page = await run(`fetch ${pageSize} from ${name}`);
        isDone = page.length < pageSize;
        if (page.length > 0) yield page as unknown[] as Result[number][];
      }
      await run(`close ${name}`);
    } finally {
      await transaction.close();
    }
  }

  #query(): Query {
    const values: unknown[] = [];
    return { text: this.compose(values), values, isPrepared: this.#isPrepared };
  }

  async #run(): Promise<Rows<Result>> {
    try {
      return (await this.#session.run(this.#query())) as unknown as Rows<Result>;
    } catch (error) {
      const frames = origins.get(this.#strings)?.stack?.replace(/^.*\n.*\n/, ''); // its title, and the tag
      if (error instanceof Error && frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
      throw error;
    }
  }
}
