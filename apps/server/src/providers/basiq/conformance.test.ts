import { describe, expect, test } from 'vitest';
import { describeBankLink } from '../../ports/bank-link.suite.ts';
import {
  ApiDescription,
  compare,
  type Exchange,
  type KnownDifference,
  missingDescriptions,
  recordingFetch,
} from '../testing/api-description.ts';
import { basiqOnSandbox } from '../testing/basiq-on-sandbox.ts';

const exchanges: Exchange[] = [];
/** Each with what shows that the description is behind the service (facts/open-banking.md), or that we did it on purpose. */
const known: KnownDifference[] = [
  {
    difference: /^GET \/jobs\/\{jobId\}: answer 200 \/ must match exactly one schema in oneOf$/,
    because: 'its two forms of a job require nothing, so every job is both and none is exactly one',
  },
  {
    difference: /^GET \/users\/\{userId\}\/accounts: answer 200 \/data\/\*\/class must be equal to one of/,
    because: 'the service answers an object of type and product where the description has the bare type',
  },
  {
    difference: /^GET \/users\/\{userId\}\/transactions: answer 200 \/data\/\*\/enrich must be object$/,
    because: 'enrich is null unless that product is switched on',
  },
  {
    difference: /^GET \/users\/\{userId\}\/transactions: answer 200 \/data\/\*\/postDate must be string$/,
    because: 'null while pending, as its own words say and its type does not',
  },
  { difference: /: answer 503 is not described$/, because: 'the suite lets the provider break down' },
];

describe.skipIf(missingDescriptions)('as Basiq describes its own API', () => {
  describeBankLink('every call of the suite', () => basiqOnSandbox(undefined, recordingFetch(exchanges)));

  test('no request and no answer is other than described, but for what is known', () => {
    const description = new ApiDescription('basiq-core.json', 'basiq-data.json', 'basiq-webhooks.json');
    const found = exchanges.flatMap((each) => description.differences(each, each.url.pathname.replace(/^\/basiq/, '')));
    expect(exchanges.length).toBeGreaterThan(80);
    expect(compare(found, known)).toEqual({ unknown: [], unused: [] });
  });
});
