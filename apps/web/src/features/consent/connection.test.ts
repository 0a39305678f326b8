import { expect, test } from 'vitest';
import { advance, type Connection, type ConnectionEvent, startConnection, startRenewal } from './connection.ts';

const words = ({ heading, message }: Connection) => [heading, message];
const eventOf = (type: ConnectionEvent['type']): ConnectionEvent => {
  if (type === 'job found') return { type, jobId: 'job-1' };
  return type === 'failed' ? { type, cause: 'unreachable' } : { type };
};
const after = (start: Connection, ...events: ConnectionEvent['type'][]) =>
  events.reduce((state, type) => advance(state, eventOf(type)), start);

const started = startConnection('job-1');
const searching = startConnection(undefined);
const pendingFiveTimes = Array.from({ length: 5 }, () => ['job pending', 'waited'] as const).flat();

test('start: the job of the address is checked', () => {
  expect(started).toMatchObject({ step: 'checking', jobId: 'job-1' });
  expect(words(started)).toEqual(['Connecting...', 'Checking your bank connection and authorising accounts']);
});

test('no jobId in the address: jobs are searched for', () => {
  expect(searching.step).toBe('searching');
  expect(words(searching)).toEqual([
    'Searching For Connection!',
    'We are having some trouble confirming your connection, this might take a minute',
  ]);
});

test('back from renewing without a job, nothing is searched for and the accounts are checked once', () => {
  const looking = startRenewal(undefined);
  expect(looking.step).toBe('retrieving once');
  expect(words(looking)).toEqual(words(started));
  expect(after(looking, 'accounts retrieved').step).toBe('connected');
  expect(after(looking, 'failed').step).toBe('verification');
  expect(startRenewal('job-1')).toEqual(started);
});

test('findJobs answers 200: the found job is checked', () => {
  const found = after(searching, 'job found');
  expect(found).toMatchObject({ step: 'checking', jobId: 'job-1' });
  expect(words(found)).toEqual(['Confirming Connection', 'FOUND! Finalising connection with your bank']);
});

test('checkJob answers 202: it is asked again later', () => {
  const waiting = after(started, 'job pending');
  expect(waiting.step).toBe('waiting');
  expect(words(waiting)).toEqual([
    'Checking!',
    'Receiving communications from your bank. This might take a little while.',
  ]);
  expect(after(waiting, 'waited')).toMatchObject({ step: 'checking', jobId: 'job-1', retriesLeft: 4 });
});

test('checkJob answers 200: the accounts are retrieved', () => {
  const done = after(started, 'job done');
  expect(done.step).toBe('retrieving');
  expect(words(done)).toEqual(['Finding Accounts!', 'Successfully connected - we are now retrieving your accounts.']);
});

test('retrieveAccounts answers 200: success', () => {
  const connected = after(started, 'job done', 'accounts retrieved');
  expect(connected.step).toBe('connected');
  expect(words(connected)).toEqual(['Success!', 'Accounts have successfully been retrieved.']);
});

test('after 5 retries the accounts are tried once, then it is Verification', () => {
  const fifth = after(started, ...pendingFiveTimes);
  expect(fifth).toMatchObject({ step: 'checking', retriesLeft: 0 });
  const last = after(fifth, 'job pending');
  expect(last.step).toBe('retrieving once');
  expect(after(last, 'accounts retrieved').step).toBe('connected');
  const failed = after(last, 'failed');
  expect(failed.step).toBe('verification');
  expect(words(failed)).toEqual([
    'Verification',
    'For security reasons we need you to verify your account by logging in.',
  ]);
});

test.each([
  ['while searching', searching],
  ['while checking', started],
  ['while waiting', after(started, 'job pending')],
  ['while retrieving', after(started, 'job done')],
])('any error %s is Verification', (_, state) => {
  expect(after(state, 'failed').step).toBe('verification');
});

test('an answer that comes too late changes nothing', () => {
  const connected = after(started, 'job done', 'accounts retrieved');
  expect(after(connected, 'failed', 'job pending', 'waited')).toBe(connected);
  const verifying = after(started, 'failed');
  expect(after(verifying, 'job done', 'accounts retrieved')).toBe(verifying);
});

test('a supporter connected before continues where no job is found, and nowhere else', () => {
  expect(after(searching, 'connected before').step).toBe('connected');
  expect(after(started, 'connected before')).toBe(started);
});

test('the first cause of a failure is kept', () => {
  const declined = advance(started, { type: 'failed', cause: 'declined' });
  expect(advance(declined, { type: 'failed', cause: 'unreachable' })).toBe(declined);
  expect(declined).toMatchObject({ step: 'verification', cause: 'declined' });
});
