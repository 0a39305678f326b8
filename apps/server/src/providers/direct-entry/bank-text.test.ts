import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bankText } from './bank-text.ts';

test.each([
  ['Zoë Nguyễn', 'ZOE NGUYEN'],
  ["Siobhán O'Brien", 'SIOBHAN OBRIEN'],
  ['Søren Weiß-Łuczak', 'SOREN WEISS-LUCZAK'],
  ['Æthelred Œuvre Þór Đặng', 'AETHELRED OEUVRE THOR DANG'],
  ['Surf & Sons (Qld) Pty. Ltd.', 'SURF SONS QLD PTY. LTD.'],
  ['  many   spaces\tand\nlines ', 'MANY SPACES AND LINES'],
  ['李小龙', ''],
])('%s stands in a bank file as "%s"', (name, text) => expect(bankText(name)).toBe(text));

test('of any name, only letters that every bank takes are left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(bankText(name)).toMatch(/^([A-Z0-9.-]([A-Z0-9 .-]*[A-Z0-9.-])?)?$/);
      expect(bankText(bankText(name))).toBe(bankText(name));
    }),
  );
});
