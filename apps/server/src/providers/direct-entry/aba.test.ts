import { addDays, cents, isoDate } from '@sparechange/domain';
import ABA from 'aba-generator';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AbaDetail, type AbaFile, balancingDetail, decodeAba, encodeAba } from './aba.ts';

const own = { traceBsb: '032000', traceAccount: '123456', remitter: 'MY CLUB' };
const joan: AbaDetail = {
  bsb: '062000',
  account: '12345678',
  code: 13,
  amount: cents(335),
  title: 'SMITH JOAN',
  reference: 'RU1A2B3C4D5E6F',
  ...own,
};
const example: AbaFile = {
  bank: 'WBC',
  userName: 'ROUNDUP GIVING PTY LTD',
  userId: '123456',
  description: 'ROUNDUPS',
  processOn: isoDate('2026-11-23'),
  details: [joan, { ...joan, amount: cents(110) }],
};
const balanced: AbaFile = {
  ...example,
  details: [...example.details, balancingDetail(example.details, 'TRUST', 'RU1A2B3C4D5E6F')],
};

describe('golden lines', () => {
  // Field by field from the published tables of record types 0, 1 and 7.
  const lines = [
    '0                 01WBC       ROUNDUP GIVING PTY LTD    123456ROUNDUPS    231126',
    '1062-000 12345678 130000000335SMITH JOAN                      RU1A2B3C4D5E6F    032-000   123456MY CLUB         00000000',
    '1062-000 12345678 130000000110SMITH JOAN                      RU1A2B3C4D5E6F    032-000   123456MY CLUB         00000000',
    '1032-000   123456 500000000445TRUST                           RU1A2B3C4D5E6F    032-000   123456MY CLUB         00000000',
    '7999-999            000000000000000004450000000445                        000003',
  ];

  test('debits with the line that balances them', () => {
    expect(encodeAba(balanced)).toBe(lines.map((line) => line.padEnd(120)).join('\r\n'));
  });

  test('without it, the net is the sum collected', () => {
    const total = encodeAba(example).split('\r\n').at(-1);
    expect(total).toBe('7999-999            000000044500000000000000000445                        000002'.padEnd(120));
  });

  test('payouts are code 50 and balanced by a debit of ours', () => {
    const payout: AbaDetail = { ...joan, code: 50, account: '000123' };
    const details = [payout, balancingDetail([payout], 'TRUST', 'OUT')];
    const [, first, second, total] = encodeAba({ ...example, details }).split('\r\n');
    expect(first?.slice(0, 30)).toBe('1062-000   000123 500000000335');
    expect(second?.slice(0, 35)).toBe('1032-000   123456 130000000335TRUST');
    expect(total?.slice(20, 50)).toBe('000000000000000003350000000335');
  });

  test('every record has 120 characters, and no line ends the file', () => {
    const text = encodeAba(balanced);
    expect(text.split('\r\n').map((line) => line.length)).toEqual([120, 120, 120, 120, 120]);
  });
});

describe('what does not fit is refused, never cut', () => {
  const refusedDetails: [string, Partial<AbaDetail>][] = [
    ['an account number of 10 digits', { account: '1234567890' }],
    ['an account number of zeros', { account: '000000000' }],
    ['an account number with letters', { account: '12A45' }],
    ['no account number', { account: '' }],
    ['a BSB of five digits', { bsb: '06200' }],
    ['nothing to pay', { amount: cents(0) }],
    ['less than nothing', { amount: cents(-1) }],
    ['eleven digits of cents', { amount: cents(10_000_000_000) }],
    ['a title of 33 letters', { title: 'A'.repeat(33) }],
    ['no title', { title: '' }],
    ['a reference that begins with a space', { reference: ' RU1' }],
    ['a reference of 19 letters', { reference: 'R'.repeat(19) }],
    ['a remitter of 17 letters', { remitter: 'R'.repeat(17) }],
    ['letters that banks do not know', { title: 'NGUYỄN' }],
    ['a title with a line break', { title: 'JOAN\nSMITH' }],
  ];
  test.each(refusedDetails)('%s', (_name, wrong) => {
    expect(() => encodeAba({ ...example, details: [{ ...joan, ...wrong }] })).toThrow(
      expect.objectContaining({ name: 'BankFileProblem' }),
    );
  });

  const refusedFiles: [string, Partial<AbaFile>][] = [
    ['a file of nothing', { details: [] }],
    ['a bank of four letters', { bank: 'BANK' }],
    ['a user id of five digits', { userId: '12345' }],
    ['a user name of 27 letters', { userName: 'U'.repeat(27) }],
    ['a description of 13 letters', { description: 'D'.repeat(13) }],
    ['a total of eleven digits', { details: [1, 2].map(() => ({ ...joan, amount: cents(5_000_000_000) })) }],
  ];
  test.each(refusedFiles)('%s', (_name, wrong) => {
    expect(() => encodeAba({ ...example, ...wrong })).toThrow(expect.objectContaining({ name: 'BankFileProblem' }));
  });
});

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });
const bankWords = (max: number) =>
  fc
    .string({ unit: fc.constantFrom(...'ABCXYZ019 .-'), minLength: 1, maxLength: max })
    .map((text) => text.trim())
    .filter((text) => text !== '');
const account = digits(1, 9).filter((number) => !/^0*$/.test(number));
const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(isoDate('2026-01-01'), days));

const details = fc
  .record({ bsb: digits(6, 6), account, remitter: bankWords(16) })
  .chain(({ bsb: traceBsb, account: traceAccount, remitter }) =>
    fc.array(
      fc.record({
        bsb: digits(6, 6),
        account,
        code: fc.constantFrom<13 | 50>(13, 50),
        amount: fc.integer({ min: 1, max: 99_999_999 }).map(cents),
        title: bankWords(32),
        reference: bankWords(18),
        traceBsb: fc.constant(traceBsb),
        traceAccount: fc.constant(traceAccount),
        remitter: fc.constant(remitter),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  );
const anyFile: fc.Arbitrary<AbaFile> = fc.record({
  bank: fc.constantFrom('CBA', 'NAB', 'ANZ', 'WBC', 'BQL'),
  userName: bankWords(26),
  userId: digits(6, 6),
  description: bankWords(12),
  processOn: day.filter((date) => date < '2079'),
  details,
});

test('reading a written file gives the same file', () => {
  fc.assert(
    fc.property(anyFile, (file) => {
      expect(decodeAba(encodeAba(file))).toEqual(file);
    }),
  );
});

test('a file whose totals or records were changed by a cent is not read', () => {
  const text = encodeAba(example);
  expect(() => decodeAba(text.replace('0000000335', '0000000336'))).toThrow(/totals/);
  expect(() => decodeAba(text.split('\r\n').slice(0, -1).join('\r\n'))).toThrow(/begin and end/);
});

test('aba-generator writes the same for everything it can write', () => {
  // It counts in floating dollars and cuts what is too long, so it is asked only about what fits both.
  fc.assert(
    fc.property(anyFile, (file) => {
      const date = encodeAba(file).slice(74, 80);
      const header = { bank: file.bank, user: file.userName, userNumber: Number(file.userId) };
      const oracle = new ABA({ header: { ...header, description: file.description, date } });
      const transactions = file.details.map(({ bsb, amount, code, title, ...detail }) => ({
        ...detail,
        bsb,
        amount: amount / 100,
        transactionCode: code,
        accountTitle: title,
      }));
      expect(encodeAba(file)).toBe(oracle.generate(transactions).replace(/\r\n$/, ''));
    }),
  );
});
