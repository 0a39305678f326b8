import { z } from 'zod';
import type { WebhookFault } from '#webhooks/delivery.ts';
import type { Provider } from '#webhooks/subscriptions.ts';
import type { Db } from '#world/database.ts';

const Count = z.int().positive().optional().describe('how often it strikes; without it, until it is removed');

export const PathFault = z.object({
  path: z.string().startsWith('/').describe('prefix of the path it strikes'),
  method: z.string().toUpperCase().optional(),
  bodyContains: z
    .string()
    .min(1)
    .optional()
    .describe('strikes only requests whose body contains it, such as the contact of one mandate'),
  latencyMs: z.int().nonnegative().optional(),
  status: z.union([z.literal(429), z.literal(500), z.literal(503)]).optional(),
  timeoutBeforeEffect: z.boolean().optional(),
  timeoutAfterEffect: z.boolean().optional(),
  holdMs: z.int().nonnegative().optional().describe('how long a timed-out request hangs before the line is cut'),
  count: Count,
});
export type PathFault = z.infer<typeof PathFault>;

const WebhooksFault = z.object({
  webhooks: z.enum(['basiq', 'zepto', 'all']),
  drop: z.boolean().optional(),
  duplicate: z.boolean().optional(),
  reorder: z.boolean().optional(),
  badSignature: z.boolean().optional(),
  count: Count,
});

const MailFault = z.object({
  mail: z.enum(['put off', 'refuse']).describe('for now with 451, or for good with 550 as an unknown mailbox'),
  to: z.string().toLowerCase().optional().describe('mails to this address alone'),
  count: Count,
});

export const Fault = z.union([PathFault.strict(), WebhooksFault.strict(), MailFault.strict()]);
export type Fault = z.infer<typeof Fault>;

export type StoredFault = Fault & { id: number };

/** Requested misbehaviour, until it has struck often enough. */
export interface Faults {
  list(): StoredFault[];
  add(fault: Fault): StoredFault;
  remove(id: number | 'all'): void;
  /** Answers faults of any body while the body is not known, and of this body alone once it is. */
  takeForRequest(method: string, path: string, body?: string): PathFault | undefined;
  takeForWebhook(provider: Provider): WebhookFault | undefined;
  takeForMail(to: string): 'put off' | 'refuse' | undefined;
  forget(): void;
}

export function makeFaults(db: Db): Faults {
  let stored: StoredFault[] = db
    .all<{ id: number; fault: string }>('select id, fault from faults order by id')
    .map(({ id, fault }) => ({ ...Fault.parse(JSON.parse(fault)), id }));

  const remove = (id: number | 'all'): void => {
    stored = id === 'all' ? [] : stored.filter((fault) => fault.id !== id);
    db.run('delete from faults where ?1 is null or id = ?1', id === 'all' ? null : id);
  };

  const use = (fault: StoredFault): void => {
    if (fault.count === undefined) return;
    if (fault.count === 1) {
      remove(fault.id);
      return;
    }
    const { id, ...used } = { ...fault, count: fault.count - 1 };
    stored = stored.map((each) => (each.id === id ? { ...used, id } : each));
    db.run('update faults set fault = ? where id = ?', JSON.stringify(used), id);
  };

  return {
    list: () => stored,
    remove,
    add(fault) {
      const row = db.find<{ id: number }>('insert into faults (fault) values (?) returning id', JSON.stringify(fault));
      if (row === undefined) throw new Error('The fault was not stored.');
      const added = { ...fault, id: row.id };
      stored = [...stored, added];
      return added;
    },
    takeForRequest(method, path, body) {
      const isOfBody = ({ bodyContains }: PathFault) =>
        body === undefined ? bodyContains === undefined : bodyContains !== undefined && body.includes(bodyContains);
      const fault = stored.find(
        (each) => 'path' in each && path.startsWith(each.path) && (each.method ?? method) === method && isOfBody(each),
      );
      if (fault === undefined || !('path' in fault)) return undefined;
      use(fault);
      return fault;
    },
    takeForWebhook(provider) {
      const fault = stored.find(
        (each) => 'webhooks' in each && (each.webhooks === 'all' || each.webhooks === provider),
      );
      if (fault === undefined || !('webhooks' in fault)) return undefined;
      use(fault);
      return fault;
    },
    takeForMail(to) {
      const fault = stored.find((each) => 'mail' in each && (each.to ?? to.toLowerCase()) === to.toLowerCase());
      if (fault === undefined || !('mail' in fault)) return undefined;
      use(fault);
      return fault.mail;
    },
    forget() {
      stored = [];
    },
  };
}
