import { expect, test } from 'vitest';
import { abnLookup } from './index.ts';

const abn = '51824753556';
const found = { Abn: abn, AbnStatus: 'Active', EntityName: 'BAY CHOIR INC', Message: '', BusinessName: [] };
const answering = (text: string, status = 200) => {
  const asked: URL[] = [];
  const fetch = async (url: unknown) => {
    asked.push(url as URL);
    return new Response(text, { status });
  };
  return {
    asked,
    register: abnLookup({ url: 'https://abn.test/json', guid: 'ours', fetch: fetch as typeof globalThis.fetch }),
  };
};
const called = (details: object) => `callback(${JSON.stringify(details)})`;

test('a business is found by its number', async () => {
  const { asked, register } = answering(called(found));
  expect(await register.find(abn)).toEqual({ name: 'BAY CHOIR INC', isActive: true });
  expect(asked[0]?.href).toBe(`https://abn.test/json?abn=${abn}&callback=callback&guid=ours`);
});

test('a cancelled number is not active, and one that nobody has is not found', async () => {
  const cancelled = answering(called({ ...found, AbnStatus: 'Cancelled' }));
  expect(await cancelled.register.find(abn)).toEqual({ name: 'BAY CHOIR INC', isActive: false });
  const none = { Abn: '', AbnStatus: '', EntityName: '', Message: 'No record found' };
  expect(await answering(called(none)).register.find(abn)).toBeUndefined();
});

test('a call that fails keeps its cause', async () => {
  const refuse = () => Promise.reject(new Error('connection refused'));
  const unreached = abnLookup({ url: 'https://abn.test/json', guid: 'ours', fetch: refuse });
  await expect(unreached.find(abn)).rejects.toMatchObject({ cause: { message: 'connection refused' } });
  await expect(answering('', 503).register.find(abn)).rejects.toMatchObject({ cause: { message: 'status 503' } });
});

test.each([
  ['an error', 'Service Unavailable', 503],
  ['a page', '<html></html>', 200],
  ['a call of another function', `alert(${JSON.stringify(found)})`, 200],
  ['an answer without its parts', 'callback({"Message":"?"})', 200],
  [
    'a refusal of the GUID',
    called({
      Abn: '',
      AbnStatus: '',
      EntityName: '',
      Message: 'The GUID entered is not recognised as a Registered Party',
    }),
    200,
  ],
])('%s is no answer', async (_name, text, status) => {
  await expect(answering(text, status).register.find(abn)).rejects.toThrow('ABN Lookup');
});
