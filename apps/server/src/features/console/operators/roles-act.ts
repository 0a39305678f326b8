import { invitePerson, Role, setRoles as setRolesCall } from '@sparechange/contract/console';
import { z } from 'zod';
import { NotAllowed } from '#errors.ts';
import { namedClubs } from '#features/beneficiaries/clubs/club-repository.ts';
import { unlessOver } from '#features/core/approvals/carry-out.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { isGrantForOne, type MayAskFor, type PeopleDeps, rolesName, setRoles } from './manage-operators.ts';
import { findOperator } from './operator-repository.ts';

interface RolesDeps extends PeopleDeps {
  mayAskFor: MayAskFor;
}

/** Gives a person of the console their roles. */
export const grantedRoles = defineAct({
  name: rolesName,
  arguments: z.object({
    personId: z.uuid().toLowerCase(),
    roles: Role.array(),
    /** Clubs of a treasurer. */
    clubIds: z.uuid().array(),
    /** Roles and clubs that the grant replaces; changes that somebody else has made since are kept. */
    seen: z.object({ roles: Role.array(), clubIds: z.uuid().array() }).optional(),
  }),
  askedBy: [invitePerson, setRolesCall],
  isDecidedByFinance: false,
  carryOut: ({ mayAskFor, ...deps }: RolesDeps, { personId, seen, ...grant }, by, how) => {
    const { recordEnd: alsoRecord, askedBy, limit } = how;
    const granted = { isOfOnePerson: limit !== undefined, seen, alsoRecord, mayAskFor };
    return unlessOver(setRoles({ ...deps, by, askedBy }, personId, grant, granted), how);
  },
  isForOne: ({ db }, { personId, ...grant }) => isGrantForOne(db, personId, grant),
  /** Refuses the person who would get the roles, also where they became an owner since they were asked for. */
  refuseAgreement: async (_tx, { personId }, { actor: { kind, id } }) => {
    if (kind === 'console' && personId === id)
      throw new NotAllowed('These roles would be yours; another person has to agree.');
  },
  describe: async ({ db }, { personId, roles, clubIds }) => {
    const person = await findOperator(db, personId);
    const clubs = await namedClubs(db, clubIds);
    return {
      Person: person?.name ?? 'not known',
      'E-mail address': person?.email,
      Roles: roles.join(', '),
      'Current roles': person && (person.roles.join(', ') || 'none'),
      Clubs: clubIds.map((id) => clubs.get(id)?.name ?? id).join(', ') || undefined,
    };
  },
});
