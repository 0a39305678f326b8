import type { Clock } from '#ports/clock.ts';
import type { Pool } from './connect.ts';

/** The product's clock, shared by every program on one database. Only `ops advance` ever moves it from real time. */
export interface ProductClock extends Clock {
  /** Moves the clock of every program on this database so that it now shows that instant. */
  setTo(instant: Date): Promise<void>;
  close(): Promise<void>;
}

/** Reads by how much the clock was moved from real time. */
export async function movedByMs(pool: Pool): Promise<number> {
  const [row] = await pool<{ offsetMs: number }[]>`select offset_ms as "offsetMs" from product_clock`;
  return row?.offsetMs ?? 0;
}

/** Reads the offset once and then listens for changes, so that asking for the time costs nothing. */
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
