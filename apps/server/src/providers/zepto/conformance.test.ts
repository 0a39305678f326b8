import { expect, test } from 'vitest';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import {
  ApiDescription,
  compare,
  describeWithDescriptions,
  type Exchange,
  recordingFetch,
} from '../testing/api-description.ts';
import { knownOfZepto } from '../testing/known-differences.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

const exchanges: Exchange[] = [];

describeWithDescriptions('as Zepto describes its own API', () => {
  describeDirectDebit('every call of the suite', () => zeptoOnSandbox(recordingFetch(exchanges)));

  test('no request and no answer is other than described, but for what is known', () => {
    const description = new ApiDescription('zepto-openapi.yaml');
    const found = exchanges.flatMap((each) => description.differences(each, each.url.pathname.replace(/^\/zepto/, '')));
    expect(exchanges.length).toBeGreaterThan(100);
    expect(compare(found, knownOfZepto)).toEqual({ unknown: [], unused: [] });
  });
});
