import { z } from 'zod';
import type { Provider } from '#webhooks/messages.ts';
import type { WebhookFault } from '#webhooks/outbox.ts';
import { type Db, table } from '#world/database.ts';

const Count = z.int().positive().optional().describe('how many times it applies; without it, until it is removed');

const PathFault = z.object({
  path: z.string().startsWith('/').describe('prefix of the paths it applies to'),
  method: z.string().toUpperCase().optional(),
  bodyContains: z
    .string()
    .min(1)
    .optional()
    .describe('applies only to requests whose body contains it, such as the contact of one mandate'),
  latencyMs: z.int().nonnegative().optional(),
  status: z.union([z.literal(429), z.literal(500), z.literal(503)]).optional(),
  timeoutBeforeEffect: z.boolean().optional(),
  timeoutAfterEffect: z.boolean().optional(),
  holdMs: z.int().nonnegative().optional().describe('how long a timed-out request hangs before the connection is cut'),
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

type WebhooksFault = z.infer<typeof WebhooksFault>;

const MailFault = z.object({
  mail: z
    .enum(['put off', 'refuse', 'refuse sender', 'refuse relaying', 'refuse content'])
    .describe(
      'the recipient for now (451) or as an unknown mailbox (550); the sender (553), the recipient (554), the content (554) by policy',
    ),
  to: z.string().toLowerCase().optional().describe('mails to this address alone; no sender is refused then'),
  count: Count,
});

type MailFault = z.infer<typeof MailFault>;
export type MailFaultKind = MailFault['mail'];

export const Fault = z.union([PathFault.strict(), WebhooksFault.strict(), MailFault.strict()]);
export type Fault = z.infer<typeof Fault>;

type StoredFault = Fault & { id: number };

/** Requested misbehaviour, until it has happened often enough. */
export interface Faults {
  list(): StoredFault[];
  add(fault: Fault): StoredFault;
  remove(id: number | 'all'): void;
  /** Answers faults of any body while the body is not known, and of this body alone once it is. */
  takeForRequest(method: string, path: string, body?: string): PathFault | undefined;
  takeForWebhook(provider: Provider): WebhookFault | undefined;
  takeForMail(kinds: MailFaultKind[], to: string[]): MailFaultKind | undefined;
}

const faults = table<{ id: number; fault: Fault }, 'id'>('faults', ['fault']);

export function makeFaults(db: Db): Faults {
  let stored: StoredFault[] = faults.list(db, {}, 'order by id').map(({ id, fault }) => ({ ...fault, id }));

  const remove = (id: number | 'all'): void => {
    stored = id === 'all' ? [] : stored.filter((fault) => fault.id !== id);
    faults.remove(db, id === 'all' ? {} : { id });
  };

  /** Returns the first fault that applies, and counts it. */
  const take = <Kind extends Fault>(applies: (fault: StoredFault) => fault is StoredFault & Kind): Kind | undefined => {
    const found = stored.find(applies);
    if (found?.count === undefined) return found;
    const { id, ...fault } = found;
    if (found.count === 1) remove(id);
    else {
      const rest = { ...fault, count: found.count - 1 };
      stored = stored.map((each) => (each.id === id ? { ...rest, id } : each));
      faults.update(db, { id }, { fault: rest });
    }
    return found;
  };

  return {
    list: () => stored,
    remove,
    add(fault) {
      const added = { ...fault, id: faults.insert(db, { fault }).id };
      stored = [...stored, added];
      return added;
    },
    takeForRequest: (method, path, body) =>
      take<PathFault>((fault): fault is StoredFault & PathFault => {
        if (!('path' in fault) || !path.startsWith(fault.path) || (fault.method ?? method) !== method) return false;
        if (body === undefined) return fault.bodyContains === undefined;
        return fault.bodyContains !== undefined && body.includes(fault.bodyContains);
      }),
    takeForWebhook: (provider) =>
      take<WebhooksFault>(
        (fault): fault is StoredFault & WebhooksFault =>
          'webhooks' in fault && (fault.webhooks === 'all' || fault.webhooks === provider),
      ),
    takeForMail: (kinds, to) =>
      take<MailFault>((fault): fault is StoredFault & MailFault => {
        if (!('mail' in fault) || !kinds.includes(fault.mail)) return false;
        return fault.to === undefined || to.some((address) => address.toLowerCase() === fault.to);
      })?.mail,
  };
}
