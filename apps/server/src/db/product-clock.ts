import type { Clock } from '#ports/clock.ts';
import type { Pool } from './connect.ts';

/** The product's clock, shared by every process on one database. Only `ops advance` ever moves it from real time. */
export interface ProductClock extends Clock {
  /** Sets the clock of every process on this database. */
  setTo(instant: Date): Promise<void>;
  close(): Promise<void>;
}

/** Reads how far the clock was moved, in milliseconds. */
export async function movedByMs(pool: Pool): Promise<number> {
  const [row] = await pool<{ offsetMs: number }[]>`select offset_ms as "offsetMs" from product_clock`;
  return row?.offsetMs ?? 0;
}

/** Reads the offset once, then listens; asking costs nothing. */
export async function productClock(pool: Pool): Promise<ProductClock> {
  let offsetMs = 0;
  const read = async () => {
    offsetMs = await movedByMs(pool);
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
      await pool`
        with moved as (update product_clock set offset_ms = ${Math.round(offsetMs)} returning 1)
        select pg_notify('product_clock', '') from moved`;
    },
    close: () => listening.unlisten(),
  };
}
