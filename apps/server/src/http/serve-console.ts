import { PassThrough } from 'node:stream';
import { type ConsoleOperation, type Permitted, refusalOfCall, rowsPerPage } from '@sparechange/contract/console';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor, CallRefusal } from '#audit/audit-log.ts';
import { ifReachable } from '#db/database-answers.ts';
import { onBehalfOfNobody } from '#db/waiting-caller.ts';
import { NotAllowed, SignedOut } from '#errors.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import { waitPatiently } from './answer-early.ts';
import { type Asked, byNetwork, type Rule, refuseTooMany } from './call-limits.ts';
import { refusalOf, statusOf } from './errors.ts';
import { eventStream } from './observe-requests.ts';
import type { RateLimits } from './rate-limit.ts';

/** A person of the organisation or a club, by the session of their browser. */
export interface ConsoleCaller extends Permitted {
  operatorId: string;
  sessionHash: Buffer;
  /** True with a passkey, or a password with a code. */
  hasSignIn: boolean;
  /** Gave one of them within the last five minutes. */
  isConfirmed: boolean;
}

/** Names a caller where acts of people are recorded. */
export const consoleActor = ({ operatorId }: ConsoleCaller): Actor => ({ kind: 'console', id: operatorId });

export interface ConsoleCall {
  request: FastifyRequest;
  /** Gives the browser its session. */
  keepSession(token: string): void;
  forgetSession(): void;
  /** Waits for work for some seconds; undefined if it takes longer, and then continues in the background. */
  patiently<Result>(work: Promise<Result>): Promise<Result | undefined>;
  /** Returns false once the browser has an answer, or is gone: nobody would see further results. */
  isWaiting(): boolean;
}

export interface ServeConsoleDeps {
  consoleUrl: URL;
  limits: RateLimits;
  metrics?: ProductMetrics | undefined;
  patienceMs?: number | undefined;
  findCaller(token: string): Promise<ConsoleCaller | undefined>;
  /** Appends a person's act to the audit log, or its refusal; returns the entry's id. */
  note(
    caller: ConsoleCaller,
    operation: ConsoleOperation,
    input: Record<string, unknown>,
    refusal?: CallRefusal,
  ): Promise<string>;
}

type Handler<Op extends ConsoleOperation, Who> = (
  input: z.output<Op['input']>,
  caller: Who,
  call: ConsoleCall,
) => Promise<z.input<Op['output']>>;

type NoteRefusal = (refusal: Omit<CallRefusal, 'call'>) => Promise<unknown>;

/** A header that no form and no page of another site can send. */
export const consoleHeader = 'x-sparechange-console';

const anonymous = byNetwork({ name: 'console signed out', limit: { burst: 60, everySeconds: 2, lease: 1 } });
const emailOf = ({ input }: Asked) => String((input as { email: string }).email);
/** Counted for known and unknown addresses alike; one network does not use up what another has. */
const mailed: Rule[] = [
  ...byNetwork({ name: 'console mailed link', limit: { burst: 5, everySeconds: 300, lease: 1 } }, emailOf),
  { name: 'console mailed links', limit: { burst: 20, everySeconds: 120, lease: 1 }, about: emailOf },
];
/** Acts of a person: each is kept in the audit log for ever. */
const acts: Rule = {
  name: 'console acts',
  limit: { burst: 60, everySeconds: 2, lease: 1 },
  about: ({ supporterId }) => supporterId ?? '',
};
/** Calls that take seconds, and exports of lists, which are kept in the audit log too. */
const slowCalls: Rule = {
  name: 'console slow calls',
  limit: { burst: 20, everySeconds: 6, lease: 1 },
  about: ({ supporterId }) => supporterId ?? '',
};
/** Pages of exports: a burst of three of the longest that the console makes, of fifty pages each. */
const exportedPages: Rule = {
  name: 'console exported pages',
  limit: { burst: 150, everySeconds: 1, lease: 1 },
  about: ({ supporterId }) => supporterId ?? '',
};
/** One note is enough for the pages of an export, whose last may be asked for without the first. */
const exportNotes = { burst: 1, everySeconds: 600, lease: 1 };
const isAct = ({ allowed, readsOnly }: ConsoleOperation): boolean => allowed !== 'anyone' && !readsOnly;
/** Fields of a list's input that leave nothing out of its export. */
const paging = ['after', 'limit', 'sort'];
/** Returns whether a page is of a list's export: more rows than any page of the console shows, of a list that has pages. */
const isExport = ({ readsOnly, input: known }: ConsoleOperation, input: Record<string, unknown>): boolean =>
  readsOnly === true && known instanceof z.ZodObject && 'after' in known.shape && Number(input.limit) > rowsPerPage;
const rulesOf = (operation: ConsoleOperation, input: Record<string, unknown>): Rule[] => {
  const pages = isExport(operation, input) ? [exportedPages] : [];
  const isFirst = input.after === undefined;
  if (operation.isSlow || (pages.length > 0 && isFirst)) return [slowCalls, ...pages];
  if (pages.length > 0) return pages;
  if (isAct(operation)) return [acts];
  if (operation.allowed !== 'anyone' || operation.method === 'GET') return [];
  return operation.name === 'requestSignInLink' ? [...anonymous, ...mailed] : anonymous;
};

const defaultPatienceMs = 15_000;
const twelveHours = 12 * 3600;

/** Returns the name and attributes of the session's cookie; `__Host-` binds it to the very host. */
function cookieOf({ protocol }: URL) {
  const name = protocol === 'https:' ? '__Host-console' : 'console';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`;
  return { name, attributes };
}

/** Refuses calls that another site's page could have caused. */
function refuseOtherSites({ headers }: FastifyRequest, { origin }: URL): void {
  const isSameSite = [undefined, 'same-origin', 'none'].includes(String(headers['sec-fetch-site'] ?? 'none'));
  const isOurs = headers.origin === undefined || headers.origin === origin;
  if (headers[consoleHeader] !== '1' || !isSameSite || !isOurs)
    throw new NotAllowed('This call does not come from the console.');
}

/** Throws unless the declaration of the operation lets this person make the call with this input. */
function refuseForbidden(operation: ConsoleOperation, caller: ConsoleCaller | undefined, input: unknown): void {
  const refusal = refusalOfCall(operation, caller, input);
  if (refusal === 'signed-out') throw new SignedOut();
  if (refusal) throw new NotAllowed('Your role does not allow this.');
}

/**
 * Asks for the passkey or code again; through an emailed link, a person without either may add the first, and nothing
 * else.
 */
function refuseUnconfirmed({ isDangerous, allowed }: ConsoleOperation, caller: ConsoleCaller | undefined): void {
  if (!isDangerous || !caller || caller.isConfirmed) return;
  if (allowed === 'signed_in' && caller.isByLink && !caller.hasSignIn) return;
  if (caller.isByLink) throw new NotAllowed('Please sign in with your passkey or password.');
  throw new NotAllowed('Please confirm who you are.', 'requires-recent-login');
}

/** Notes why a call was not carried out, where the database can be reached, and rethrows the reason. */
async function orNoteRefusal<Answer>(carryOut: () => Promise<Answer>, note: NoteRefusal | undefined): Promise<Answer> {
  try {
    return await carryOut();
  } catch (error) {
    const refusal = refusalOf(error);
    const isFault = statusOf(refusal) >= 500;
    if (note) await ifReachable(() => onBehalfOfNobody(() => note({ code: refusal.code, isFault })));
    throw error;
  }
}

/**
 * Serves the console's operations: the caller, their permission and the note of their act are decided here alone, by
 * the operation's declaration.
 */
export function consoleServer(app: FastifyInstance, deps: ServeConsoleDeps) {
  const { consoleUrl, limits, metrics, patienceMs = defaultPatienceMs, findCaller, note } = deps;
  const { name, attributes } = cookieOf(consoleUrl);
  const form = new RegExp(`(?:^|; )${name}=([\\w-]{1,100})(?:;|$)`);
  const tokenOf = ({ headers: { cookie = '' } }: FastifyRequest) => form.exec(cookie)?.[1];

  const callerOf = async (request: FastifyRequest) => {
    const token = tokenOf(request);
    return token ? findCaller(token) : undefined;
  };

  /** Returns caller and input, once they may make the call. */
  const admit = async <Op extends ConsoleOperation>(operation: Op, request: FastifyRequest) => {
    refuseOtherSites(request, consoleUrl);
    const raw = operation.method === 'GET' ? request.query : request.body;
    const caller = await callerOf(request);
    refuseForbidden(operation, caller, raw);
    const input = operation.input.parse(raw) as z.output<Op['input']>;
    refuseForbidden(operation, caller, input);
    refuseUnconfirmed(operation, caller);
    const asked = { request, supporterId: caller?.operatorId, input } satisfies Asked;
    await refuseTooMany(limits, rulesOf(operation, input as Record<string, unknown>), asked);
    return { caller, input };
  };

  /** Notes a call; returns the function that notes its refusal. */
  const noteOne = async (...noted: Parameters<ServeConsoleDeps['note']>): Promise<NoteRefusal> => {
    const call = await note(...noted);
    const [caller, operation, input] = noted;
    return (refusal) => note(caller, operation, input, { ...refusal, call });
  };

  /**
   * Notes acts, files and exports before they are made, so that one which is cut off is noted too; of an export, once in ten
   * minutes, the names of its filters, whose values may be a person's.
   */
  const noteCall = async (
    caller: ConsoleCaller,
    operation: ConsoleOperation,
    input: Record<string, unknown>,
  ): Promise<NoteRefusal | undefined> => {
    if (isAct(operation) || operation.audited) return noteOne(caller, operation, input);
    if (!isExport(operation, input)) return undefined;
    const filters = Object.keys(input).filter((name) => !paging.includes(name) && input[name]);
    const about = [caller.operatorId, operation.name, ...filters.map((name) => `${name}=${input[name]}`)].join(' ');
    if ((await limits.take('console export notes', about, exportNotes)) > 0) return undefined;
    const exported = { ...operation, name: `export ${operation.name}`, audited: ['filters'] };
    return noteOne(caller, exported, { filters });
  };

  /** Refuses a large body before any of it is read; a refusal ends the connection, over which the rest may come. */
  const refuseBeforeBody = (operation: ConsoleOperation) => async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      refuseOtherSites(request, consoleUrl);
      const caller = await callerOf(request);
      refuseForbidden(operation, caller, undefined);
      refuseUnconfirmed(operation, caller);
    } catch (error) {
      reply.header('connection', 'close');
      throw error;
    }
  };

  const route = <Op extends ConsoleOperation>(operation: Op, handle: Handler<Op, ConsoleCaller | undefined>) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller, input } = await admit(operation, request);
      const noteRefusal = caller && (await noteCall(caller, operation, input as Record<string, unknown>));
      const setCookie = (value: string, seconds: number) =>
        void reply.header('set-cookie', `${name}=${value}; Max-Age=${seconds}; ${attributes}`);
      let isOutOfPatience = false;
      const call: ConsoleCall = {
        request,
        keepSession: (session) => setCookie(session, twelveHours),
        forgetSession: () => setCookie('', 0),
        patiently: async (work) => {
          const result = await waitPatiently(request, work, { patienceMs, metrics });
          isOutOfPatience = result === undefined;
          if (isOutOfPatience) void orNoteRefusal(() => work, noteRefusal).catch(() => {}); // the log has it
          return result;
        },
        isWaiting: () => !isOutOfPatience && !reply.sent && !reply.raw.destroyed,
      };
      const answer = await orNoteRefusal(() => handle(input, caller, call), noteRefusal);
      return reply.header('cache-control', 'no-store').send(operation.output.parse(answer));
    };
    const large =
      operation.maxBodyBytes === undefined
        ? {}
        : { bodyLimit: operation.maxBodyBytes, onRequest: refuseBeforeBody(operation) };
    app.route({ method: operation.method, url: `/console/api${operation.path}`, ...large, handler });
  };

  const streams = new Set<PassThrough>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });

  return {
    /** For everybody, signed in or not. */
    open: route,
    /** For people with a role that the operation's declaration allows. */
    person<Op extends ConsoleOperation>(operation: Op, handle: Handler<Op, ConsoleCaller>): void {
      route(operation, async (input, caller, call) => {
        if (!caller) throw new SignedOut();
        return handle(input, caller, call);
      });
    },
    /** Server-sent events for people with a role that the declaration allows, until they or the server end it. */
    stream(operation: ConsoleOperation, begin: (stream: PassThrough, caller: ConsoleCaller) => void): void {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const { caller } = await admit(operation, request);
        if (!caller) throw new SignedOut();
        const stream = new PassThrough();
        begin(stream, caller);
        streams.add(stream);
        stream.once('close', () => streams.delete(stream));
        return reply
          .headers({ 'content-type': eventStream, 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
          .send(stream);
      };
      app.route({ method: 'GET', url: `/console/api${operation.path}`, exposeHeadRoute: false, handler });
    },
  };
}

export type ServeConsole = ReturnType<typeof consoleServer>;
