import {
  addClub,
  type ConsoleOperation,
  createApiKey,
  invitePerson,
  writeOffClub,
} from '@sparechange/contract/console';
import { parseTypedAmount } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { numberOf } from '../ui/number-in.ts';
import { CallProblem, problemOf } from './call-problem.ts';

const refusal = (field: string, words: string, { input }: ConsoleOperation = createApiKey) =>
  new CallProblem(400, 'invalid-input', 'The request is invalid.', { [field]: words }, input);

test('a problem with a field stays until the operation accepts its value', () => {
  const name = refusal('name', 'Please enter a name');
  expect(problemOf(name, 'name')).toBe('Please enter a name');
  expect(problemOf(name, 'scopes')).toBeUndefined();
  expect(problemOf(name, 'name', ['  '])).toBe('Please enter a name');
  expect(problemOf(name, 'name', ['Website'])).toBeUndefined();
  const email = refusal('email', 'Please enter an email address', invitePerson);
  expect(problemOf(email, 'email', ['fay@'])).toBe('Please enter an email address');
  expect(problemOf(email, 'email', ['fay@example.com'])).toBeUndefined();
});

test('numbers, amounts and boxes are read in the form the operation takes', () => {
  const days = refusal('days', 'Please enter 1 to 730 days');
  expect(problemOf(days, 'days', [numberOf('731')])).toBe('Please enter 1 to 730 days');
  expect(problemOf(days, 'days', [numberOf('30')])).toBeUndefined();
  expect(problemOf(days, 'days', [numberOf('1e2')])).toBe('Please enter 1 to 730 days');
  const scopes = refusal('scopes', 'Please choose what the key may do');
  expect(problemOf(scopes, 'scopes', [[]])).toBe('Please choose what the key may do');
  expect(problemOf(scopes, 'scopes', ['read_clubs', ['read_clubs']])).toBeUndefined();
  const amount = refusal('cents', 'Please enter an amount', writeOffClub);
  expect(problemOf(amount, 'cents', [parseTypedAmount('12.3.4')])).toBe('Please enter an amount');
  expect(problemOf(amount, 'cents', [parseTypedAmount('12.50')])).toBeUndefined();
});

test('a problem that only the server sees goes once its value changes', () => {
  const taken = refusal('slug', 'Another club has this link', addClub);
  expect(problemOf(taken, 'slug')).toBe('Another club has this link');
  expect(problemOf(taken, 'slug', ['bay-rovers'])).toBeUndefined();
});

test('a form without an answer has no problem at a field', () => {
  expect(problemOf(new CallProblem(0, 'no-answer', 'The server does not answer.'), 'name')).toBeUndefined();
  expect(problemOf(new Error('else'), 'name')).toBeUndefined();
});
