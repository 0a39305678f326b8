import type { Person } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { NotAllowed } from '#errors.ts';
import type { ConsoleCaller, ServeConsole } from '#http/serve-console.ts';
import { inviteAgain, inviteOperator, recoverOperator, removeOperator, setRoles } from './manage-operators.ts';
import { findClubsByName, listOperators, type OperatorRow } from './operator-repository.ts';
import type { SignInDeps } from './sign-in.ts';

const presentPerson = ({ signedInAt, ...person }: OperatorRow): Person => ({
  ...person,
  lastSignInAt: signedInAt?.toISOString() ?? null,
});

/** Cuts off the row that says that there are more. */
export function pageOf<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => string) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? null : cursorOf(last) };
}

function refuseOneself({ operatorId }: ConsoleCaller, personId: string): void {
  if (operatorId === personId) throw new NotAllowed('Another owner has to do this for you.');
}

export function peopleRoutes(serve: ServeConsole, deps: SignInDeps): void {
  const { db, sendMails } = deps;

  serve.person(contract.listPeople, async ({ limit, ...filter }) => {
    const rows = await listOperators(db, { ...filter, limit: limit + 1 });
    return pageOf(rows.map(presentPerson), limit, ({ email }) => email);
  });

  serve.person(contract.invitePerson, async (input) => {
    const { id } = await inviteOperator(deps, input);
    await sendMails();
    return { id };
  });

  serve.person(contract.inviteAgain, async ({ personId }) => {
    await inviteAgain(deps, personId);
    await sendMails();
    return {};
  });

  serve.person(contract.setRoles, async ({ personId, ...grant }, caller) => {
    refuseOneself(caller, personId);
    await setRoles(deps, personId, grant);
    return {};
  });

  serve.person(contract.recoverPerson, async ({ personId }, caller) => {
    refuseOneself(caller, personId);
    await recoverOperator(deps, personId);
    await sendMails();
    return {};
  });

  serve.person(contract.removePerson, async ({ personId }, caller) => {
    refuseOneself(caller, personId);
    await removeOperator(deps, personId);
    return {};
  });

  serve.person(contract.findClubs, async ({ search }) => ({ clubs: await findClubsByName(db, search) }));
}
