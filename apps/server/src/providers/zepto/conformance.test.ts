import { expect, test } from 'vitest';
import { describeDirectDebit } from '../../ports/direct-debit.suite.ts';
import { listOf } from '../../ports/direct-debit-form.suite.ts';
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

  test('entries of a float are asked for and answered as its newest description says', async () => {
    const entries: Exchange[] = [];
    const under = await zeptoOnSandbox(recordingFetch(entries));
    await under.control('POST', '/options', { isFloat: true });
    for (const cents of [5, -3]) await under.control('POST', '/float-adjustments', { cents, description: 'CT.1uou2c' });
    for (const account of await under.directDebit.accounts())
      expect(
        await listOf(account.entries(new Date('2026-11-17T00:00:00Z'), new Date('2026-11-19T00:00:00Z'))),
      ).toHaveLength(2);
    await under.close();
    const description = new ApiDescription('zepto-zepto.yml');
    const ofAccounts = entries.filter(({ url }) => url.pathname.startsWith('/zepto/bank_accounts/'));
    expect(ofAccounts).toHaveLength(2);
    expect(
      ofAccounts.flatMap((each) => description.differences(each, each.url.pathname.replace(/^\/zepto/, ''))),
    ).toEqual([]);
  });
});
