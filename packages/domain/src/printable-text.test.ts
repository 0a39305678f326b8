import { expect, test } from 'vitest';
import { textCell } from './csv.ts';
import { printableLine, withoutFormatControls } from './printable-text.ts';

const hidden = '\u202e\u2066\u200f\u200b\ufeff\u061c';

test('characters that turn or hide the rest of a line are left out, letters of any script stay', () => {
  expect(withoutFormatControls(`Ro${hidden}bin`)).toBe('Robin');
  for (const name of ['Joan Nguyễn', 'عمر', 'Þóra', "O'Brien", '李 明', 'a\nb'])
    expect(withoutFormatControls(name)).toBe(name);
});

test('a line has no line ends and no control characters', () => {
  expect(printableLine(`Ro\r\nbin\u0000${hidden}!`)).toBe('Ro bin !');
});

test('a cell of a CSV has none either, and is no formula behind them', () => {
  expect(textCell(`Ro${hidden}bin`)).toBe('"Robin"');
  expect(textCell(`${hidden}=1+1`)).toBe('"\'=1+1"');
});
