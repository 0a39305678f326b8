/**
 * The values kept in the browser. A value of another shape, from an older version or edited by hand, counts as absent.
 * Patterns instead of the contract's schemas, because the login screen writes here before anything else is loaded.
 */
const shapes = {
  userId: /^.{1,128}$/,
  cdrid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  clubId: /^.{1,80}$/,
  host: /^[a-z0-9-]{1,63}$/,
  referrer: /^efg:[^\p{Cc}\p{Cs}]{1,196}$/u,
  selectedClubId: /^.{1,80}$/,
  parentClubId: /^.{1,80}$/,
  jobId: /^.{1,128}$/,
  bankNonce: /^[\w-]{22}$/,
  lastFigures: /^\{.*\}$/,
  seenMark: /^\d{1,6}$/,
  bankJobs: /^[\w-]{1,128}(,[\w-]{1,128}){0,9}$/,
} as const;

export type StoredKey = keyof typeof shapes;

export function readStored(key: StoredKey): string | undefined {
  const value = localStorage.getItem(key);
  return value !== null && shapes[key].test(value) ? value : undefined;
}

export function store(key: StoredKey, value: string): void {
  localStorage.setItem(key, value);
}

export const forget = (key: StoredKey): void => localStorage.removeItem(key);

export function clearStored(): void {
  localStorage.clear();
  sessionStorage.clear();
}
