import { z } from 'zod';
import { Asked } from './developers.ts';
import { consoleOperation, exampleId } from './operation.ts';

const instant = z.coerce.date();
const id = z.uuid();

export const ApprovalState = z.enum(['asked', 'agreed', 'done', 'refused', 'lapsed']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** An act that one person asked for; `agreed` was not carried out to its end and is agreed to again. */
export const Approval = z.object({
  id,
  act: z.string(),
  summary: z.string(),
  lines: z
    .array(
      z.object({
        label: z.string(),
        value: z.string(),
        clubId: z.string().optional().describe('the club that it names'),
      }),
    )
    .describe('what the act is carried out with, shown to the person who agrees; bank data is masked'),
  state: ApprovalState,
  isUnderWay: z.boolean().describe('agreed to, and being carried out'),
  askedBy: z.string(),
  askedAt: instant,
  expiresAt: instant,
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
  failure: z.string().nullable().describe('why it could not be carried out, or was refused automatically'),
  isOwn: z.boolean().describe('asked for by the caller, who cannot agree to it'),
});
export type Approval = z.infer<typeof Approval>;

/** The most requests that are listed together. */
export const maxApprovalsListed = 500;

/** Lists what waits for a second person, newest first, and after it what was decided within a day, or lapsed within seven. */
export const listApprovals = consoleOperation({
  name: 'listApprovals',
  method: 'GET',
  path: '/approvals',
  allowed: ['owner', 'finance'],
  readsOnly: true,
  follows: 'approvals',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(maxApprovalsListed).default(50),
    act: z.string().optional().describe('of this act alone'),
  }),
  output: z.object({
    approvals: z.array(Approval),
    leftOut: z.number().int().describe('those that wait as well and are older than the ones listed'),
    unconfirmedChanges: z
      .array(
        z.object({
          id,
          clubId: z.uuid(),
          club: z.string(),
          askedBy: z.string(),
          askedAt: instant,
          lapsedAt: instant,
        }),
      )
      .describe('of bank details, agreed to and lapsed within seven days, as the contact did not confirm them'),
  }),
});

/** Agrees as a second person, and carries the act out. */
export const agreeToApproval = consoleOperation({
  name: 'agreeToApproval',
  method: 'POST',
  path: '/approvals/agree',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['id'],
  words: 'Agreed as a second person',
  input: z.object({ id }),
  example: { id: exampleId },
  output: z.object({
    isUnderWay: z.boolean().describe('takes longer than a call, and continues in the background'),
    shownOnce: z.string().nullable().describe('a secret that cannot be shown again'),
  }),
});

export const refuseApproval = consoleOperation({
  name: 'refuseApproval',
  method: 'POST',
  path: '/approvals/refuse',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['id'],
  words: 'Refused a request',
  input: z.object({ id }),
  example: { id: exampleId },
  output: z.object({}),
});

export const PeopleNeeded = z.literal([1, 2]);

/** Answers how many people a dangerous act needs. */
export const retrievePeopleNeeded = consoleOperation({
  name: 'retrievePeopleNeeded',
  method: 'GET',
  path: '/approvals/people',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['approval_rule', 'operators'],
  input: z.object({}),
  output: z.object({ people: PeopleNeeded, chosenBy: z.string().nullable().describe('null while nobody has chosen') }),
});

/** Sets how many people a dangerous act needs. From two to one takes two itself, unless nobody has chosen yet, one owner at most is there, and no second person has ever agreed to anything. */
export const choosePeopleNeeded = consoleOperation({
  name: 'choosePeopleNeeded',
  method: 'POST',
  path: '/approvals/people',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['people'],
  words: 'Chose how many people decide, or asked for it',
  input: z.object({ people: PeopleNeeded }),
  example: { people: 2 },
  output: z.object({ asked: Asked.nullable().describe('what waits for a second person') }),
});
