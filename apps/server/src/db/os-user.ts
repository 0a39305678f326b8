import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** The operating-system user that runs PostgreSQL where we are root. */
export interface OsUser {
  uid: number;
  gid: number;
}

const name = 'postgres';

function lookUp(): OsUser | undefined {
  const answer = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  if (answer.status !== 0) return undefined;
  const gid = execFileSync('id', ['-g', name], { encoding: 'utf8' });
  return { uid: Number(answer.stdout), gid: Number(gid) };
}

/** PostgreSQL refuses to run as root, so root starts it as a system user, made here when there is none. */
export function databaseUser(): OsUser | undefined {
  if (userInfo().uid !== 0) return undefined;
  const known = lookUp();
  if (known) return known;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  const made = lookUp(); // also where another start has just made it
  if (!made) throw new Error(`The system user "${name}" could not be made; PostgreSQL does not run as root.`);
  return made;
}

/** Returns whether a user can enter a folder's whole path. */
export function canEnter(folder: string, user: OsUser | undefined): boolean {
  if (!user) return true;
  return spawnSync('/bin/sh', ['-c', 'cd "$0" && ls >/dev/null', folder], { ...user, cwd: '/' }).status === 0;
}
