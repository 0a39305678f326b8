import type { Client } from 'pg';

const paths = new WeakMap<Client, string>();

/** Returns the search path that a connection was last given. */
export const searchPathOf = (client: Client): string | undefined => paths.get(client);

/** Gives a connection a search path ahead of the next statement, in the same packet; nothing is sent where it has it. */
export function useSearchPath(client: Client, path: string | undefined): void {
  if (path === undefined || paths.get(client) === path) return;
  paths.set(client, path);
  client.query(`set search_path to ${path}`).catch(() => paths.delete(client));
}

/** Forgets the search path, where a rollback or a session's own settings may have changed it. */
export const forgetSearchPath = (client: Client): void => void paths.delete(client);
