import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from '#db/connect.ts';
import { currentSettings } from './current-settings.ts';
import { type Tenants, tenantsOf } from './load-tenants.ts';
import { countVersions, tenantsChannel } from './version-repository.ts';

interface Following {
  tenants: Tenants;
  close(): Promise<void>;
}

interface FollowOptions {
  /** Interval of extra reads, in case an announcement was lost. */
  pollEveryMs?: number;
  /** Receives unreadable settings; the tenants stay as they were. */
  onProblem: (sentence: string) => void;
}

/** Reads the tenants of the database now and after every process's change. */
export async function followTenants(db: Pool, { pollEveryMs = 30_000, onProblem }: FollowOptions): Promise<Following> {
  const held = new AsyncLocalStorage<Tenants>();
  let known = -1;
  let newest: Tenants;
  const read = async () => {
    const count = await countVersions(db);
    if (count === known) return;
    const { settings, unreadable } = await currentSettings(db);
    unreadable.forEach(onProblem);
    known = count; // at most once for each change, also where it is refused
    newest = tenantsOf(settings);
  };
  await read();
  let reading = Promise.resolve();
  const refresh = () => {
    reading = reading.then(read).catch((error: Error) => onProblem(error.message));
  };
  const listening = await db.listen(tenantsChannel, refresh, refresh);
  const poll = setInterval(refresh, pollEveryMs).unref();
  const current = () => held.getStore() ?? newest;
  return {
    tenants: {
      list: () => current().list(),
      byKey: (key) => current().byKey(key),
      byKeys: (apikey, tenant) => current().byKeys(apikey, tenant),
      redirects: () => current().redirects(),
      hold: (work) => held.run(current(), work),
    },
    close: async () => {
      clearInterval(poll);
      await listening.unlisten();
      await reading;
    },
  };
}
