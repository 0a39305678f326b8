import type { ColumnMapping } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { ColumnQuestion, dayInForm } from './mapped-columns.ts';
import { parseStatement } from './parse-statement.ts';

const file = `Buchung,Wert,Text 1,Text 2,Status
03/04/2026,"-1,250.00",RENT,OFFICE,
04/04/2026,20.50,GIFT,,
`;
const mapping: ColumnMapping = { columns: ['day', 'amount', 'words', 'words', null], days: 'day_first' };

function questionOf(content: string, given?: ColumnMapping): ColumnQuestion {
  try {
    parseStatement(content, { mappings: { given } });
  } catch (error) {
    if (error instanceof ColumnQuestion) return error;
    throw error;
  }
  throw new Error('The file was read.');
}

test('unknown columns are shown with the first lines, guesses and the forms of their days', () => {
  const { unknown, fields } = questionOf(file);
  expect(Object.keys(fields ?? {})).toEqual(['mapping']);
  expect(unknown.columns.map(({ name, guess }) => [name, guess])).toEqual([
    ['Buchung', 'day'],
    ['Wert', 'amount'],
    ['Text 1', 'words'],
    ['Text 2', 'words'],
    ['Status', null],
  ]);
  expect(unknown.columns[0]?.dayForms).toEqual(['day_first', 'month_first']);
  expect(unknown.rows[0]).toEqual(['03/04/2026', '-1,250.00', 'RENT', 'OFFICE', '']);
});

test.each([
  ['day_first', '2026-04-03'],
  ['month_first', '2026-03-04'],
] as const)('a mapping reads days written %s', (days, bookedOn) => {
  const { lines, mapped } = parseStatement(file, { mappings: { given: { ...mapping, days } } });
  expect(lines[0]).toMatchObject({ bookedOn, cents: -125_000, text: 'RENT OFFICE' });
  expect(mapped?.mapping.days).toBe(days);
});

test('debit and credit columns and a balance are read by a mapping', () => {
  const content = 'Tag;Aus;Ein;Stand;Was\n24.11.2026;12.50;;87.50;FEE\n25.11.2026;;10.00;97.50;GIFT\n';
  const columns = ['day', 'debit', 'credit', 'balance', 'words'] as const;
  const read = parseStatement(content, { mappings: { given: { columns: [...columns], days: 'day_first' } } });
  expect(read).toMatchObject({ openingCents: 10_000, closingCents: 9_750, lines: [{ cents: -1250 }, { cents: 1000 }] });
});

test('the mapping kept for a heading reads the next file of it, and no other file', () => {
  const { mapped } = parseStatement(file, { mappings: { given: mapping } });
  const kept = mapped ? [mapped] : [];
  const next = file.replace('RENT', 'RENT OF MAY');
  expect(parseStatement(next, { mappings: { kept } }).lines[0]?.text).toBe('RENT OF MAY OFFICE');
  expect(() => parseStatement(file.replace('Buchung', 'Datum'), { mappings: { kept } })).toThrow(ColumnQuestion);
  const other = { headingHash: kept[0]?.headingHash ?? '', mapping: { ...mapping, days: 'month_first' as const } };
  expect(() => parseStatement(next, { mappings: { kept: [...kept, other] } })).toThrow(ColumnQuestion); // two accounts differ
});

test('a file whose first line is a movement is read whole', () => {
  const content = 'A1,24/11/2026,1.00,GIFT\nA2,25/11/2026,2.00,GIFT\n';
  const given: ColumnMapping = { columns: [null, 'day', 'amount', 'words'], days: 'day_first' };
  expect(questionOf(content).unknown.columns.map(({ name }) => name)).toEqual(['', '', '', '']);
  expect(parseStatement(content, { mappings: { given } }).lines).toHaveLength(2);
});

test.each([
  ['a day', '03/14/2026', 'line 2'],
  ['an amount', '"1,25"', 'line 2'],
])('a row is refused by its line for %s', (_what, cell, words) => {
  const broken = file.replace(cell.startsWith('"') ? '"-1,250.00"' : '03/04/2026', cell);
  expect(() => parseStatement(broken, { mappings: { given: mapping } })).toThrow(words);
});

test('a column left out still says that a row is not booked', () => {
  expect(() => parseStatement(file.replace('OFFICE,', 'OFFICE,pending'), { mappings: { given: mapping } })).toThrow(
    'line 2',
  );
});

test('a mapping for another number of columns is asked for again', () => {
  expect(questionOf(file, { ...mapping, columns: ['day', 'amount', 'words'] }).message).toContain('5 columns');
});

test('known columns need no mapping, and a table of two columns is refused as before', () => {
  expect(parseStatement('date,amount,description\n2026-11-24,1.00,X').mapped).toBeUndefined();
  expect(() => parseStatement('a,b\n1,2')).toThrow('It names "a", "b"');
});

test.each([
  ['24/11/26', 'day_first', '2026-11-24'],
  ['26.11.24', 'year_first', '2026-11-24'],
  ['11-24-2026 10:31', 'month_first', '2026-11-24'],
  ['24 Nov 2026', 'as_written', '2026-11-24'],
  ['2026-11-24T00:00:00Z', 'as_written', '2026-11-24'],
  ['20261124', 'as_written', '2026-11-24'],
  ['20261124', 'year_first', '2026-11-24'],
  ['24112026', 'day_first', '2026-11-24'],
  ['11242026', 'month_first', '2026-11-24'],
  ['46350', 'as_written', '2026-11-24'],
  ['nothing', 'day_first', 'nothing'],
] as const)('%s is read %s as %s', (written, form, day) => expect(dayInForm(written, form)).toBe(day));

test.each([
  ['20261124', ['as_written']],
  ['46350', ['as_written']],
  ['2026-11-24T10:31:00', ['as_written']],
  ['03/04/2026 10:31 am', ['day_first', 'month_first']],
  ['03042026', ['day_first', 'month_first']],
])('a column of days such as %s may be written %s', (day, forms) => {
  const { columns } = questionOf(`Tag,Wert,Text\n${day},1.00,X\n`).unknown;
  expect([columns[0]?.dayForms, columns[0]?.guess]).toEqual([forms, 'day']);
});

test('a column in which a spreadsheet made some days numbers is no column of days', () => {
  const { columns } = questionOf('Tag,Wert,Text\n46350,1.00,X\n24/11/2026,1.00,X\n').unknown;
  expect(columns[0]?.dayForms).toEqual([]);
});

test.each([
  ['Out', 'In'],
  ['Money Out', 'Money In'],
  ['DR', 'CR'],
])('columns called %s and %s are guessed as debit and credit', (out, into) => {
  const { columns } = questionOf(`When,What,${out},${into}\n24/11/2026,FEE,12.50,\n25/11/2026,GIFT,,1.00\n`).unknown;
  expect(columns.map(({ guess }) => guess)).toEqual(['day', 'words', 'debit', 'credit']);
});

test('a column called Bal is guessed as the balance', () => {
  const { columns } = questionOf('When,What,Sum,Bal\n24/11/2026,GIFT,1.00,1.00\n').unknown;
  expect(columns.map(({ guess }) => guess)).toEqual(['day', 'words', 'amount', 'balance']);
});

test('amounts in brackets are read by a mapping', () => {
  const written = file.replace('"-1,250.00"', '"(1,250.00)"');
  expect(parseStatement(written, { mappings: { given: mapping } }).lines[0]?.cents).toBe(-125_000);
});
