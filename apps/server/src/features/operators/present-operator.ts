import type { Operator, Person } from '@sparechange/contract/console';
import type { OperatorRow } from './operator-repository.ts';
import type { Session } from './session-repository.ts';

export const hasSignIn = ({ passkeys, hasPassword }: OperatorRow): boolean => passkeys > 0 || hasPassword;

export function presentOperator(operator: OperatorRow, session: Pick<Session, 'method' | 'isConfirmed'>): Operator {
  const { id, email, name, roles, clubs } = operator;
  const isByLink = session.method === 'link';
  return { id, email, name, roles, clubs, isByLink, hasSignIn: hasSignIn(operator), isConfirmed: session.isConfirmed };
}

export const presentPerson = ({ signedInAt, ...person }: OperatorRow): Person => ({
  ...person,
  lastSignInAt: signedInAt?.toISOString() ?? null,
});
