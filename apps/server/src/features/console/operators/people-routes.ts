import type { Person } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';
import { NotAllowed, NotFound } from '#errors.ts';
import type { AskedFor } from '#features/core/approvals/approved-acts.ts';
import { pageOf } from '#http/page-of.ts';
import { type ConsoleCaller, consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { addOperator, inviteAgain, recoverOperator, refuseOtherGrant, removeOperator } from './manage-operators.ts';
import { findClubsByName, findOperator, listOperators, type OperatorRow } from './operator-repository.ts';
import type { grantedRoles } from './roles-act.ts';
import type { SignInDeps } from './sign-in.ts';

const presentPerson = ({ signedInAt, ...person }: OperatorRow): Person => ({
  ...person,
  lastSignInAt: signedInAt?.toISOString() ?? null,
});

function refuseOneself({ operatorId }: ConsoleCaller, personId: string): void {
  if (operatorId === personId) throw new NotAllowed('Another owner has to do this for you.');
}

type RoleActs = AskedFor<{ roles: typeof grantedRoles }>;

export interface RolesRouteDeps {
  acts: RoleActs;
}

export function peopleRoutes(serve: ServeConsole, deps: SignInDeps & RolesRouteDeps): void {
  const { db, sendMails, acts } = deps;

  async function grant(caller: ConsoleCaller, args: Parameters<RoleActs['roles']>[1], name: string) {
    const asked = await acts.roles(consoleActor(caller), args, `Make ${name} ${args.roles.join(', ')}`);
    await sendMails();
    return { awaitsApproval: 'approval' in asked };
  }

  serve.person(contract.listPeople, async ({ limit, ...filter }) => {
    const rows = await listOperators(db, { ...filter, limit: limit + 1 });
    return pageOf(rows.map(presentPerson), limit, ({ email }) => email);
  });

  serve.person(contract.invitePerson, async ({ roles, ...person }, caller) => {
    const id = await addOperator(deps, person, { mayBeInvited: false });
    return { id, ...(await grant(caller, { personId: id, roles, clubIds: person.clubIds }, person.name)) };
  });

  serve.person(contract.inviteAgain, async ({ personId }) => {
    await inviteAgain(deps, personId);
    await sendMails();
    return {};
  });

  serve.person(contract.setRoles, async (input, caller) => {
    refuseOneself(caller, input.personId);
    const person = await findOperator(db, input.personId);
    if (!person || person.status === 'removed') throw new NotFound('The person');
    if (input.seen) refuseOtherGrant(person, input.seen, input);
    return grant(caller, input, person.name);
  });

  serve.person(contract.recoverPerson, async ({ personId }, caller) => {
    refuseOneself(caller, personId);
    await recoverOperator({ ...deps, by: consoleActor(caller) }, personId);
    await sendMails();
    return {};
  });

  serve.person(contract.removePerson, async ({ personId }, caller) => {
    refuseOneself(caller, personId);
    await removeOperator({ ...deps, by: consoleActor(caller) }, personId);
    return {};
  });

  serve.person(contract.findClubs, async ({ search }) => ({ clubs: await findClubsByName(db, search) }));
}
