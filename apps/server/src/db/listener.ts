import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

interface Subscriber {
  channel: string;
  onNotify: (payload: string) => void;
  /** Called whenever listening begins; earlier notifications were missed. */
  onListen: () => void;
}

export interface Listening {
  unlisten(): Promise<void>;
}

const longestWaitMs = 1_000;

/** Listens to channels over one connection; reconnects when it fails. */
export class Listener {
  readonly #makeClient: () => pg.Client;
  readonly #subscribers = new Set<Subscriber>();
  #connection: { client: pg.Client; ready: Promise<pg.Client> } | undefined;
  #isReturning = false;

  constructor(makeClient: () => pg.Client) {
    this.#makeClient = makeClient;
  }

  async listen(channel: string, onNotify: (payload: string) => void, onListen = () => {}): Promise<Listening> {
    const subscriber = { channel, onNotify, onListen };
    await this.#follow([subscriber]);
    this.#subscribers.add(subscriber);
    const unlisten = async () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size === 0) this.close();
    };
    return { unlisten };
  }

  /** Ends the connection; does not wait until it is closed. */
  close(): void {
    this.#subscribers.clear();
    void this.#connection?.client.end();
    this.#connection = undefined;
  }

  async #follow(subscribers: Iterable<Subscriber>): Promise<void> {
    this.#connection ??= this.#connect();
    const client = await this.#connection.ready;
    for (const { channel, onListen } of subscribers) {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onListen();
    }
  }

  #connect() {
    const client = this.#makeClient();
    client.on('notification', ({ channel, payload = '' }) => {
      for (const subscriber of this.#subscribers) if (subscriber.channel === channel) subscriber.onNotify(payload);
    });
    const connection = { client, ready: client.connect() };
    client.once('end', () => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      void this.#comeBack();
    });
    return connection;
  }

  async #comeBack(): Promise<void> {
    if (this.#isReturning) return;
    this.#isReturning = true;
    for (let waitMs = 50; this.#subscribers.size > 0; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        await this.#follow(this.#subscribers);
        break;
      } catch {
        await wait(waitMs, undefined, { ref: false });
      }
    }
    this.#isReturning = false;
  }
}
