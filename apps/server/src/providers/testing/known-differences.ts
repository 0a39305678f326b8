import type { KnownDifference } from './api-description.ts';

/** Differences from Basiq's API description, each with why the description is outdated or we differ on purpose. */
export const knownOfBasiq: KnownDifference[] = [
  {
    difference: /^GET \/jobs\/\{jobId\}: answer 200 \/ must match exactly one schema in oneOf$/,
    because: 'its two forms of a job require nothing, so every job is both and none is exactly one',
  },
  {
    difference:
      /^GET \/users\/\{userId\}\/accounts(\/\{accountId\})?: answer 200 (\/data\/\*)?\/class must be equal to one of/,
    because: 'the service answers an object of type and product where the description has the bare type',
  },
  {
    difference:
      /^GET \/users\/\{userId\}\/transactions(\/\{transactionId\})?: answer 200 (\/data\/\*)?\/enrich must be object$/,
    because: 'enrich is null unless that product is switched on',
  },
  {
    difference: /^GET \/users\/\{userId\}\/transactions: answer 200 \/data\/\*\/postDate must be string$/,
    because: 'null while pending, as its own words say and its type does not',
  },
  { difference: /: answer 503 is not described$/, because: 'the suite lets the provider break down' },
];

/** Differences from Zepto's API description, each with its other source. */
export const knownOfZepto: KnownDifference[] = [
  {
    difference: /^GET \/bank_accounts\/\S+ is not described$/,
    because: 'only in the newer description, by which entries are checked',
  },
  {
    difference: /^POST \/agreements\/kyc is not described$/,
    because: 'for merchants that Zepto has approved for it; its help page and a public client show it',
  },
  {
    difference: /^POST \/(payment_requests|payments): answer 409 is not described$/,
    because: "a repeated idempotency key is described in the file's text, not with its operations",
  },
  { difference: /: answer 503 is not described$/, because: 'the suite lets the provider break down' },
];
