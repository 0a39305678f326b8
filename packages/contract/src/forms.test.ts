import { expect, test } from 'vitest';
import type { z } from 'zod';
import { DonationForm } from './donation-form.ts';
import { donateNow } from './donations.ts';
import { register } from './onboarding.ts';
import { RegistrationForm } from './registration-form.ts';
import { SavingsAccountForm } from './savings-form.ts';

/** Returns each field's first message, as a form shows it. */
function messages(form: z.ZodType, values: Record<string, unknown>): Record<string, string> {
  const result = form.safeParse(values);
  const issues = result.success ? [] : result.error.issues;
  return Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]));
}

const registration = {
  firstName: 'Robin',
  lastName: 'Banks',
  email: 'robin@example.com',
  mobileNumber: '0400000000',
  password: 'password',
  confirmPassword: 'password',
  agree: true,
};

test('a whole registration is accepted', () => {
  expect(messages(RegistrationForm, registration)).toEqual({});
});

test.each([
  ['firstName', '', 'First name is required'],
  ['firstName', '   ', 'First name is required'],
  ['lastName', '', 'Last name is required'],
  ['email', '', 'Email is required'],
  ['email', 'robin', 'Enter a valid email'],
  ['email', 'robin@example', 'Enter a valid email'],
  ['mobileNumber', '', 'Mobile number is required'],
  ['mobileNumber', '040000000', 'Mobile number must be 10 digits, no spaces'],
  ['mobileNumber', '04000000000', 'Mobile number must be 10 digits, no spaces'],
  ['mobileNumber', '0400 000 00x', 'Mobile number must be 10 digits, no spaces'],
  ['mobileNumber', '+1 400 000 000', 'Mobile number must be 10 digits, no spaces'],
  ['firstName', 'x'.repeat(101), 'Please use at most 100 characters'],
  ['mobileNumber', '+614000000', 'Mobile number must be 10 digits, no spaces'],
  ['confirmPassword', '', 'Confirm password is required'],
  ['confirmPassword', 'Password', 'Passwords must match'],
])('a %s of "%s" is answered "%s", and nothing else is', (field, value, message) => {
  expect(messages(RegistrationForm, { ...registration, [field]: value })).toEqual({ [field]: message });
});

test.each([
  'Your refund waits: https://evil.example/r',
  'Visit WWW.evil.example',
  'robin@evil.example',
  'evil.example',
  'evil。example',
  'bit.ly/x',
  'http:evil',
  'ｈｔｔｐ：／／ｘ',
  'Click <b>here</b>',
  'web24.example',
  'x1.example',
  '1a.example',
  '10.0.0.1',
  'ｘ１．ｅｘａｍｐｌｅ',
])('"%s" is no name', (name) => {
  const message = 'Please use a name without links or @';
  expect(messages(RegistrationForm, { ...registration, firstName: name })).toEqual({ firstName: message });
  expect(messages(RegistrationForm, { ...registration, lastName: name })).toEqual({ lastName: message });
});

test.each(['Robin\u202E', 'Ro\u200Bbin', '\u3164'])('"%s" hides something and is no name', (name) => {
  const message = 'Please use plain characters only';
  expect(messages(RegistrationForm, { ...registration, firstName: name })).toEqual({ firstName: message });
  expect(messages(RegistrationForm, { ...registration, lastName: name })).toEqual({ lastName: message });
});

test.each([
  "Zoë O'Brien-Nguyen",
  'Anne Marie',
  'María José',
  '李小龍',
  'नेहा',
  'علی\u200cرضا',
  'Dr. J. Smith',
  'J.R.R.',
  'St.Clair',
  'Robin 2nd',
  '3Jane',
  'X Æ A-12',
  'No. 6',
])('"%s" is a name', (name) => {
  expect(messages(RegistrationForm, { ...registration, firstName: name, lastName: name })).toEqual({});
});

test.each([
  ['', 'Password is required'],
  ['1234567', 'Password should be of minimum 8 characters length'],
])('a password of "%s" is answered "%s"', (password, message) => {
  expect(messages(RegistrationForm, { ...registration, password, confirmPassword: password }).password).toBe(message);
});

test('an empty form names every field that is required', () => {
  const empty = Object.fromEntries(Object.keys(registration).map((field) => [field, '']));
  expect(messages(RegistrationForm, { ...empty, agree: true })).toEqual({
    firstName: 'First name is required',
    lastName: 'Last name is required',
    email: 'Email is required',
    mobileNumber: 'Mobile number is required',
    password: 'Password is required',
    confirmPassword: 'Confirm password is required',
  });
});

test('passwords that differ are reported together with what else is wrong', () => {
  const wrong = { ...registration, firstName: '', confirmPassword: 'different' };
  expect(messages(RegistrationForm, wrong)).toEqual({
    firstName: 'First name is required',
    confirmPassword: 'Passwords must match',
  });
});

test('without agreeing to the terms there is no registration', () => {
  expect(Object.keys(messages(RegistrationForm, { ...registration, agree: false }))).toEqual(['agree']);
});

test('spaces around names, address and mobile number do not count, those in a password do', () => {
  const spaced = { ...registration, firstName: ' Robin ', email: ' robin@example.com ', mobileNumber: ' 0400000000 ' };
  expect(RegistrationForm.parse(spaced)).toEqual(registration);
  expect(RegistrationForm.parse({ ...registration, password: ' 1234567', confirmPassword: ' 1234567' }).password).toBe(
    ' 1234567',
  );
});

test.each(['0412 345 678', '0412-345-678', '(0412) 345 678', '+61 412 345 678', '+61 (0)412 345 678', '0061412345678'])(
  'a mobile number written as "%s" is taken as 0412345678',
  (mobileNumber) => {
    expect(RegistrationForm.parse({ ...registration, mobileNumber }).mobileNumber).toBe('0412345678');
  },
);

test('the register call answers with the words of the form', () => {
  const call = {
    email: '',
    firstName: '',
    lastName: '',
    mobile: '12',
    tenantA: 'default',
    supportingClubId: 'a',
    userId: 'a',
  };
  expect(messages(register.input, call)).toEqual({
    email: 'Email is required',
    firstName: 'First name is required',
    lastName: 'Last name is required',
    mobile: 'Mobile number must be 10 digits, no spaces',
  });
});

const Donation = donateNow.input.shape.values.pick({ amount: true });

test.each([0.01, 1, 1.1, 64.1, 69.99, 249.99, 250])('a donation of $%d is accepted', (amount) => {
  expect(messages(Donation, { amount })).toEqual({});
});

test.each([
  [undefined, 'Amount is required'],
  [null, 'Amount is required'],
  [Number.NaN, 'Amount is required'],
  ['20', 'Amount is required'],
  [0, 'Amount is required'],
  [-1, 'Amount is required'],
  [250.01, 'Amount must be $250 or less'],
  [251, 'Amount must be $250 or less'],
  [10.005, 'Amount must be in dollars and cents'],
])('a donation of %s is answered "%s"', (amount, message) => {
  expect(messages(Donation, { amount })).toEqual({ amount: message });
});

test.each([
  ['2.50', 2.5],
  ['2,5', 2.5],
  ['$64.10', 64.1],
  ['250', 250],
])('%s typed as a donation is $%d', (amount, dollars) => {
  expect(DonationForm.parse({ amount })).toEqual({ amount: dollars });
});

test.each([
  ['', 'Amount is required'],
  ['0', 'Amount is required'],
  ['1e2', 'Amount is required'],
  ['-1', 'Amount is required'],
  ['10.005', 'Amount is required'],
  ['ten', 'Amount is required'],
  ['250.01', 'Amount must be $250 or less'],
  ['2,500', 'Amount must be $250 or less'],
])('%j typed as a donation is answered "%s"', (amount, message) => {
  expect(messages(DonationForm, { amount })).toEqual({ amount: message });
});

const savings = { accountName: 'Holiday', bsb: '062000', accountNumber: '12345678' };

test.each(['12345678', '123456789', '123456789012'])(
  'a savings account with the number %s is accepted',
  (accountNumber) => {
    expect(messages(SavingsAccountForm, { ...savings, accountNumber })).toEqual({});
  },
);

test.each([
  ['accountName', '', 'Account name is required'],
  ['bsb', '', 'BSB is required'],
  ['bsb', '06200', 'BSB must be 6 numbers'],
  ['bsb', '0620000', 'BSB must be 6 numbers'],
  ['bsb', '062-00a', 'BSB must be 6 numbers'],
  ['accountNumber', '', 'Account number is required'],
  ['accountNumber', '1234567', 'Account number must be 8-12 numbers'],
  ['accountNumber', '1234567890123', 'Account number must be 8-12 numbers'],
  ['accountNumber', '1234 567x', 'Account number must be 8-12 numbers'],
])('a savings account with a %s of "%s" is answered "%s"', (field, value, message) => {
  expect(messages(SavingsAccountForm, { ...savings, [field]: value })).toEqual({ [field]: message });
});

test('a BSB with a dash and an account number in groups are taken by their digits', () => {
  expect(SavingsAccountForm.parse({ ...savings, bsb: '062-000', accountNumber: '1234 5678' })).toEqual(savings);
});
