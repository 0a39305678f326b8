import { checkJob, confirmHandoff, exchangeHandoff, findJobs } from '@sparechange/contract';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { leaveFor } from '#api/leave.ts';
import { logsAnError } from '../testing/logged.ts';
import { cdrid } from '../testing/makers.ts';
import { answer, callsOf, refuse, server } from '../testing/server.ts';
import { visit } from '../testing/visit.tsx';

const here = () => window.location.host;
const tenant = 'aca.sparechange.localhost';
const port = () => (window.location.port ? `:${window.location.port}` : '');
const leftFor = (): URL => new URL(String(vi.mocked(leaveFor).mock.lastCall?.[0]));
const mayVerify = () => screen.findByRole('button', { name: 'Verify My Account' });
const connection = '/consented?userId=uid-anna&jobId=job-1';

beforeEach(() => {
  vi.mocked(leaveFor).mockClear();
  sessionStorage.clear();
  server.use(
    answer(checkJob, { status: 202 }, 202),
    answer(exchangeHandoff, { customToken: 'token for anna' }),
    http.get('*/tenants/:file', ({ params }) =>
      params.file === 'aca.json' ? HttpResponse.json({}) : new HttpResponse(null, { status: 404 }),
    ),
  );
});

test('a code is requested from the host it comes from, and then opens its session', async () => {
  visit(`${connection}&handoff=code-1&from=${here()}`);
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  const asked = leftFor();
  expect([asked.host, asked.pathname]).toEqual([here(), '/hand-off/confirm']);
  const { challenge, ...rest } = Object.fromEntries(asked.searchParams);
  expect(challenge).toMatch(/^[\w-]{43}$/);
  expect(rest).toEqual({ userId: 'uid-anna', jobId: 'job-1', handoff: 'code-1', to: here() });
  expect(callsOf(exchangeHandoff)).toEqual([]);
});

test('the browser that asked for a code exchanges it, and the code leaves the address', async () => {
  sessionStorage.setItem('handoff code-2', 'the secret');
  visit(`${connection}&handoff=code-2`);
  expect(await screen.findByRole('heading', { name: 'Checking!' })).toBeVisible();
  expect(callsOf(exchangeHandoff)[0]?.input).toEqual({ handoff: 'code-2', verifier: 'the secret' });
  expect(callsOf(checkJob)[0]?.input).toEqual({ jobId: 'job-1', cdrid });
  expect(window.location.search).toBe('?userId=uid-anna&jobId=job-1');
});

test.each([
  ['that this browser never asked for', '&handoff=code-3'],
  ['from a host that is not ours', '&handoff=code-4&from=evil.example'],
  ['from a name below our domain that no tenant has', '&handoff=code-5&from=dangling.sparechange.localhost'],
])('a code %s opens nothing', async (_what, code) => {
  visit(`${connection}${code}`);
  expect(await mayVerify()).toBeVisible();
  expect(leaveFor).not.toHaveBeenCalled();
  expect(callsOf(exchangeHandoff)).toEqual([]);
  expect(window.location.search).toBe('?userId=uid-anna&jobId=job-1');
});

test('a code that was used before leads to Verification', async () => {
  logsAnError();
  server.use(refuse(exchangeHandoff, 403, 'not-allowed'));
  sessionStorage.setItem('handoff code-6', 'the secret');
  visit(`${connection}&handoff=code-6`);
  expect(await mayVerify()).toBeVisible();
});

test('a visitor with a session stays signed in, is told of the other account, and may continue', async () => {
  server.use(refuse(findJobs, 409, 'conflict'));
  sessionStorage.setItem('handoff code-7', 'the secret');
  const user = visit('/consented?userId=uid-of-somebody-else&handoff=code-7', { isSignedIn: true });
  expect(await screen.findByText(/You are still signed in as anna@example.org/)).toBeVisible();
  expect(callsOf(exchangeHandoff)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Continue As anna@example.org' }));
  expect(await screen.findByRole('heading', { name: /Confirming|Searching|Checking|Verification/ })).toBeVisible();
});

test('the host of the session confirms a code and sends the browser back with it', async () => {
  server.use(answer(confirmHandoff, {}));
  const challenge = 'c'.repeat(43);
  visit(`/hand-off/confirm?userId=uid-anna&jobId=job-1&handoff=code-8&to=${tenant}${port()}&challenge=${challenge}`, {
    isSignedIn: true,
  });
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(callsOf(confirmHandoff)[0]?.input).toEqual({ userId: 'uid-anna', handoff: 'code-8', challenge });
  const back = leftFor();
  expect([back.host, back.pathname]).toEqual([`${tenant}${port()}`, '/consented']);
  expect(Object.fromEntries(back.searchParams)).toEqual({ userId: 'uid-anna', jobId: 'job-1', handoff: 'code-8' });
});

test('without a session nothing is confirmed, and the browser goes back without the code', async () => {
  visit(`/hand-off/confirm?userId=uid-anna&handoff=code-9&to=${tenant}${port()}&challenge=${'c'.repeat(43)}`);
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  expect(leftFor().search).toBe('?userId=uid-anna');
  expect(callsOf(confirmHandoff)).toEqual([]);
});

test('no host but ours is ever visited', async () => {
  visit('/hand-off/confirm?handoff=code-10&to=evil.example&challenge=c', { isSignedIn: true });
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(leaveFor).not.toHaveBeenCalled();
});
