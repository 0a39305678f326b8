import type { Operation } from '@sparechange/contract';
import * as contract from '@sparechange/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '#identity/network.ts';
import { tooManyRequests } from './errors.ts';
import { isFor } from './match-route.ts';
import type { Limit, RateLimits } from './rate-limit.ts';

/** The facts that a limit may count by. */
export interface Asked {
  request: FastifyRequest;
  supporterId: string | undefined;
  input: unknown;
}

export interface Rule {
  name: string;
  limit: Limit;
  /** Returns who is counted; nothing where a rule does not count a call. */
  about(asked: Asked): string | undefined;
}

/**
 * An IPv6 site has this many times the allowance of one network: enough for a school, and no more for changing
 * networks.
 */
export const networksPerSite = 16;

/** Counts by network address, with IPv6 besides by site; each of them together with what `also` names. */
export function byNetwork(rule: Omit<Rule, 'about'>, also?: (asked: Asked) => string): Rule[] {
  const { name, limit } = rule;
  const { burst, everySeconds } = limit;
  const ofSite = { ...limit, burst: burst * networksPerSite, everySeconds: everySeconds / networksPerSite };
  const joined = (place: string, asked: Asked) => (also ? `${place} ${also(asked)}` : place);
  return [
    { name, limit, about: (asked) => joined(networkOf(asked.request.ip), asked) },
    {
      name: `${name} of a site`,
      limit: ofSite,
      about: (asked) => {
        const site = siteOf(asked.request.ip);
        return site && joined(site, asked);
      },
    },
  ];
}

const supporter = ({ supporterId }: Asked): string => supporterId ?? '';
const address = ({ input }: Asked): string =>
  String((input as { email: string }).email)
    .trim()
    .toLowerCase();

/** Generous: schools share one address, a dashboard makes eight calls. */
const anyCall = byNetwork({ name: 'any call', limit: { burst: 3_000, everySeconds: 0.01, lease: 250 } });

const rules = {
  register: byNetwork({ name: 'register', limit: { burst: 300, everySeconds: 2, lease: 1 } }),
  donate: { name: 'donate', limit: { burst: 10, everySeconds: 30, lease: 1 }, about: supporter },
  /** A year has thirteen documents, each slow to print. */
  receipts: { name: 'receipts', limit: { burst: 30, everySeconds: 10, lease: 1 }, about: supporter },
  bank: { name: 'bank', limit: { burst: 60, everySeconds: 2, lease: 1 }, about: supporter },
  renewHere: byNetwork({ name: 'renew here', limit: { burst: 60, everySeconds: 5, lease: 1 } }),
  /** Counted for known and unknown addresses alike. */
  renewThis: { name: 'renew this', limit: { burst: 10, everySeconds: 120, lease: 1 }, about: address },
  leave: { name: 'leave', limit: { burst: 20, everySeconds: 15, lease: 1 }, about: supporter },
  /** Reads all data of a supporter and packs it. */
  everything: { name: 'everything', limit: { burst: 5, everySeconds: 300, lease: 1 }, about: supporter },
  handOff: { name: 'hand off', limit: { burst: 20, everySeconds: 5, lease: 1 }, about: supporter },
  confirmHandOff: { name: 'confirm hand-off', limit: { burst: 20, everySeconds: 5, lease: 1 }, about: supporter },
  takeOver: byNetwork({ name: 'take over', limit: { burst: 300, everySeconds: 1, lease: 1 } }),
  /** A club asks once; nobody gets more than three such emails a day from anybody, and the total is small. */
  joinHere: byNetwork({ name: 'join here', limit: { burst: 10, everySeconds: 600, lease: 1 } }),
  joinThis: {
    name: 'join this',
    limit: { burst: 3, everySeconds: 28_800, lease: 1 },
    about: (asked: Asked) => address(asked).replace(/\+[^@]*/, ''),
  },
  joinAll: { name: 'join all', limit: { burst: 200, everySeconds: 120, lease: 1 }, about: () => '' },
  lookUp: byNetwork({ name: 'look up', limit: { burst: 600, everySeconds: 0.2, lease: 20 } }),
} satisfies Record<string, Rule | Rule[]>;

/** Operations with their own limits, besides that on any call. */
const rulesOf = new Map<Operation, Rule[]>([
  [contract.register, rules.register],
  [contract.donateNow, [rules.donate]],
  [contract.downloadReceipt, [rules.receipts]],
  [contract.consent, [rules.bank]],
  [contract.manageConsent, [rules.bank]],
  [contract.checkConsent, [rules.bank]],
  [contract.findJobs, [rules.bank]],
  [contract.checkJob, [rules.bank]],
  [contract.confirmConnection, [rules.bank]],
  [contract.retrieveAccounts, [rules.bank]],
  [contract.registerFunding, [rules.bank]],
  [contract.updateFundingAccount, [rules.bank]],
  [contract.extendConsent, [...rules.renewHere, rules.renewThis]],
  [contract.renewExpiredConsent, [...rules.renewHere, rules.renewThis]],
  [contract.stopDebits, [rules.leave]],
  [contract.withdrawConsent, [rules.leave]],
  [contract.deleteBankData, [rules.leave]],
  [contract.closeAccount, [rules.leave]],
  [contract.downloadEverything, [rules.everything]],
  [contract.createHandoff, [rules.handOff]],
  [contract.confirmHandoff, [rules.confirmHandOff]],
  [contract.exchangeHandoff, rules.takeOver],
  [contract.confirmEmail, rules.renewHere],
  [contract.skipDebitByLink, rules.renewHere],
  [contract.setDebitNoticesByLink, rules.renewHere],
  [contract.setAdviceFrequencyByLink, rules.renewHere],
  [contract.askToJoin, [...rules.joinHere, rules.joinThis, rules.joinAll]],
  [contract.confirmClubRequest, rules.renewHere],
  [contract.findClubBySlug, rules.lookUp],
  [contract.findClub, rules.lookUp],
  [contract.retrieveClubs, rules.lookUp],
]);

/** An operation's own limits; nothing where it has none. */
export const limitsOf = (operation: Operation): readonly Rule[] | undefined => rulesOf.get(operation);

/** Takes a call by each rule; returns 0, or for how many seconds the first that is used up has none. */
function takeByEach(limits: RateLimits, [rule, ...rest]: readonly Rule[], asked: Asked): Promise<number> | number {
  if (!rule) return 0;
  const about = rule.about(asked);
  const taken = about === undefined ? 0 : limits.take(rule.name, about, rule.limit);
  const goOn = (seconds: number) => (seconds > 0 ? seconds : takeByEach(limits, rest, asked));
  return typeof taken === 'number' ? goOn(taken) : taken.then(goOn);
}

/** Throws 429 with Retry-After if a limit is used up. */
export async function refuseTooMany(limits: RateLimits, rules: readonly Rule[], asked: Asked): Promise<void> {
  const seconds = await takeByEach(limits, rules, asked);
  if (seconds > 0) throw tooManyRequests(seconds);
}

/** The API, the identity service, which has limits on guessing besides, and the one other thing that anybody may send. */
const limited =
  /^\/(vitals$|bank-details\/|((console\/)?api|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)\/)/;

/** Limits calls by network address before anything else is read. */
export function limitCalls(app: FastifyInstance, limits: RateLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isFor(limited, request)) return done();
    const decide = (seconds: number) => {
      if (seconds <= 0) return done();
      reply.header('retry-after', String(seconds)); // Google's words have no place for it
      done(tooManyRequests(seconds));
    };
    const taken = takeByEach(limits, anyCall, { request, supporterId: undefined, input: undefined });
    if (typeof taken === 'number') decide(taken);
    else taken.then(decide, done);
  });
  let tidying: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    const tidy = () => limits.tidy().catch((err: unknown) => app.log.warn({ err }, 'rate limits not tidied'));
    tidying = setInterval(tidy, 60_000).unref();
  });
  app.addHook('onClose', async () => clearInterval(tidying));
}
