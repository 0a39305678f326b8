import { z } from 'zod';
import { text } from '../text.ts';
import { consoleOperation, exampleId, freshId } from './operation.ts';
import { Paged, pageOf } from './paging.ts';
import { Role } from './roles.ts';

export const PersonStatus = z.enum(['invited', 'active', 'removed']);
export type PersonStatus = z.infer<typeof PersonStatus>;

export const Person = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  status: PersonStatus,
  roles: z.array(Role),
  clubs: z.array(z.object({ id: z.uuid(), name: z.string() })),
  passkeys: z.number(),
  hasPassword: z.boolean(),
  lastSignInAt: z.iso.datetime().nullable(),
});
export type Person = z.infer<typeof Person>;

export const listPeople = consoleOperation({
  name: 'listPeople',
  method: 'GET',
  path: '/people',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['clubs', 'operators', 'operator_clubs', 'operator_passkeys'],
  input: Paged.extend({ search: text(100).trim().optional(), status: PersonStatus.optional(), role: Role.optional() }),
  output: pageOf(Person),
});

const clubIds = z.array(z.uuid()).max(50).default([]);
const grantedRoles = z.array(Role).min(1, 'Please choose a role').max(5);
const hasClubs = ({ roles, clubIds }: { roles: Role[]; clubIds: string[] }) =>
  roles.includes('treasurer') === clubIds.length > 0;
const wantsClubs = { message: 'A treasurer needs a club, and only a treasurer has one', path: ['clubIds'] };

/** A role of owner or finance counts when a second person has agreed. */
const Granted = z.object({ awaitsApproval: z.boolean() });

export const invitePerson = consoleOperation({
  name: 'invitePerson',
  method: 'POST',
  path: '/people/invite',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['roles', 'clubIds'],
  words: 'Invited a person',
  input: z
    .object({
      email: text(254).trim().toLowerCase().pipe(z.email('Please enter an email address')),
      name: text(100).trim().min(1, 'Please enter a name'),
      roles: grantedRoles,
      clubIds,
    })
    .refine(hasClubs, wantsClubs),
  example: { email: `${freshId}@example.com`, name: 'Sam', roles: ['viewer'] },
  output: z.object({ id: z.uuid() }).extend(Granted.shape),
});

const personId = z.uuid().toLowerCase();

export const setRoles = consoleOperation({
  name: 'setRoles',
  method: 'POST',
  path: '/people/roles',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['personId', 'roles', 'clubIds'],
  words: 'Changed roles',
  input: z
    .object({
      personId,
      roles: grantedRoles,
      clubIds,
      seen: z
        .object({ roles: z.array(Role).max(5), clubIds })
        .optional()
        .describe('what the person had when viewed; refused if somebody else has since changed it'),
    })
    .refine(hasClubs, wantsClubs),
  example: { personId: exampleId, roles: ['viewer'] },
  output: Granted,
});

/** Emails another invitation to somebody whose first is unused. */
export const inviteAgain = consoleOperation({
  name: 'inviteAgain',
  method: 'POST',
  path: '/people/invite-again',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['personId'],
  words: 'Mailed an invitation again',
  input: z.object({ personId }),
  example: { personId: exampleId },
  output: z.object({}),
});

/** Takes away somebody's passkeys and password, ends their sessions, and emails a link to start again. */
export const recoverPerson = consoleOperation({
  name: 'recoverPerson',
  method: 'POST',
  path: '/people/recover',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['personId'],
  words: 'Recovered a sign-in',
  input: z.object({ personId }),
  example: { personId: exampleId },
  output: z.object({}),
});

export const removePerson = consoleOperation({
  name: 'removePerson',
  method: 'POST',
  path: '/people/remove',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['personId'],
  words: 'Removed a person',
  input: z.object({ personId }),
  example: { personId: exampleId },
  output: z.object({}),
});

/** Finds the clubs that a role may be about. */
export const findClubs = consoleOperation({
  name: 'findClubs',
  method: 'GET',
  path: '/clubs/find',
  allowed: ['owner'],
  readsOnly: true,
  follows: 'nothing',
  input: z.object({ search: text(100).trim() }),
  example: { search: 'a' },
  output: z.object({ clubs: z.array(z.object({ id: z.uuid(), name: z.string() })) }),
});
