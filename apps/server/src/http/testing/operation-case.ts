import { randomUUID } from 'node:crypto';
import type { TestSupporter } from '#testing/makers.ts';

/** Everything an input may name of a supporter. */
export type Named = Pick<TestSupporter, 'supporterId' | 'uid' | 'bankCustomerId' | 'account'> & { jobId: string };

/** Ids that belong to nobody. */
export const nobody: Named = {
  supporterId: randomUUID(),
  uid: 'nobody',
  bankCustomerId: 'customer-of-nobody',
  account: { id: randomUUID(), providerAccountId: 'account-of-nobody' },
  jobId: 'job-of-nobody',
};

export type Input = Record<string, unknown>;

export interface Case {
  /** A well-formed input of that supporter. */
  input: (who: Named) => Input;
  /** Inputs in which one id is another one's. */
  foreign?: (mine: Named, others: Named) => Input[];
  /** Fields with a value that cannot be. */
  malformed: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** An input of the caller's own id and these fields. */
export const withCdrid = (fields: Input, malformed: Input): Case => ({
  input: ({ supporterId }) => ({ cdrid: supporterId, ...fields }),
  malformed,
});
export const cdrid = withCdrid({}, { cdrid: undefined });
export const userId = {
  input: ({ supporterId }: Named) => ({ userId: supporterId }),
  malformed: { userId: undefined },
};
export const setting = (field: string, value: unknown, wrong: unknown) =>
  withCdrid({ [field]: value }, { [field]: wrong });
export const withUid = (fields: Input, malformed: Input): Case => ({
  input: ({ uid }) => ({ userId: uid, ...fields }),
  foreign: (_mine, { uid }) => [{ userId: uid, ...fields }],
  malformed: { userId: undefined, ...malformed },
});
export const ownUid = withUid({}, {});
export const tracked = (field: string): Case => ({
  input: ({ account }) => ({ [field]: [{ accountId: account.id, activeRoundUpsEnabled: true }] }),
  foreign: (_mine, { account }) => [{ [field]: [{ accountId: account.id, activeRoundUpsEnabled: true }] }],
  malformed: { [field]: [] },
});
export const funding = ({ account }: Named) => ({ account_id: account.id, accountId: account.providerAccountId });
export const bySite = { tenantA: 'default', activeDebitEnabled: true };
