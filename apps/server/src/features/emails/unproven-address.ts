import type { Db } from '#db/connect.ts';

/** The most mails to an address that nobody has proven, before a bank is linked (docs/rules.md#unproven-address). */
export const maxToUnproven = 3;

/** Condition on `supporters`: their mails are counted, and so kept (features/retention). */
export const isCounted = (db: Db) =>
  db`email_proven_at is null and not consent_active and consent_end is null and onboarded_on is null`;
