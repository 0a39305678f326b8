import type { Clock } from '#ports/clock.ts';
import type { Pool } from './connect.ts';

/** The product's clock, shared by every program on one database. Only `ops advance` ever moves it from real time. */
export interface ProductClock extends Clock {
  /** Moves the clock of every program on this database so that it now shows that instant. */
  setTo(instant: Date): Promise<void>;
  close(): Promise<void>;
}

/** Reads the offset once and then listens for changes, so that asking for the time costs nothing. */
export async function productClock(pool: Pool): Promise<ProductClock> {
  let offsetMs = 0;
  const read = async () => {
    const [row] = await pool<{ offsetMs: number }[]>`select offset_ms as "offsetMs" from product_clock`;
    offsetMs = row?.offsetMs ?? 0;
  };
  const listening = await pool.listen(
    'product_clock',
    () => void read().catch(() => {}),
    () => void read().catch(() => {}),
  );
  await read();
  return {
    now: () => new Date(Date.now() + offsetMs),
    setTo: async (instant) => {
      offsetMs = instant.getTime() - Date.now();
      await pool`update product_clock set offset_ms = ${Math.round(offsetMs)}`;
      await pool`select pg_notify('product_clock', '')`;
    },
    close: () => listening.unlisten(),
  };
}
