import type { Approval } from './approval-repository.ts';

/** Presents what waits for a second person; null where the act was done. */
export const presentAsked = (tried: { approval: Approval } | object) =>
  'approval' in tried ? { id: tried.approval.id, expiresAt: tried.approval.expiresAt.toISOString() } : null;
