import { describe, expect, test } from 'vitest';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import {
  ApiDescription,
  compare,
  type Exchange,
  type KnownDifference,
  missingDescriptions,
  recordingFetch,
} from '../testing/api-description.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

const exchanges: Exchange[] = [];
/** Each with what we know of it besides the description (facts/payments.md 2.3). */
const known: KnownDifference[] = [
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

describe.skipIf(missingDescriptions)('as Zepto describes its own API', () => {
  describeDirectDebit('every call of the suite', () => zeptoOnSandbox(recordingFetch(exchanges)));

  test('no request and no answer is other than described, but for what is known', () => {
    const description = new ApiDescription('zepto-openapi.yaml');
    const found = exchanges.flatMap((each) => description.differences(each, each.url.pathname.replace(/^\/zepto/, '')));
    expect(exchanges.length).toBeGreaterThan(100);
    expect(compare(found, known)).toEqual({ unknown: [], unused: [] });
  });
});
