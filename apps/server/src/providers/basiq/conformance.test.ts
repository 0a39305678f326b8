import { expect, test } from 'vitest';
import { describeBankLink } from '../../ports/bank-link.suite.ts';
import {
  ApiDescription,
  compare,
  describeWithDescriptions,
  type Exchange,
  recordingFetch,
} from '../testing/api-description.ts';
import { basiqOnSandbox } from '../testing/basiq-on-sandbox.ts';
import { knownOfBasiq } from '../testing/known-differences.ts';

const exchanges: Exchange[] = [];

describeWithDescriptions('as Basiq describes its own API', () => {
  describeBankLink('every call of the suite', () => basiqOnSandbox(undefined, recordingFetch(exchanges)));

  test('no request and no answer is other than described, but for what is known', () => {
    const description = new ApiDescription('basiq-core.json', 'basiq-data.json', 'basiq-webhooks.json');
    const found = exchanges.flatMap((each) => description.differences(each, each.url.pathname.replace(/^\/basiq/, '')));
    expect(exchanges.length).toBeGreaterThan(80);
    expect(compare(found, knownOfBasiq)).toEqual({ unknown: [], unused: [] });
  });
});
