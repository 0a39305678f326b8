import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clubPosition } from './club-position.ts';
import { cents } from './money.ts';

const position = (payable: number, reserved: number) => clubPosition(cents(payable), cents(reserved));

test('what was taken back uses the reserve, and the club owes the rest', () => {
  expect(position(35_654, 0)).toEqual({ toPay: 35_654, owes: 0, heldBack: 0 });
  expect(position(-5_605, 0)).toEqual({ toPay: 0, owes: 5_605, heldBack: 0 });
  expect(position(-5_605, 2_000)).toEqual({ toPay: 0, owes: 3_605, heldBack: 0 });
  expect(position(-5_605, 8_000)).toEqual({ toPay: 0, owes: 0, heldBack: 2_395 });
});

test('no cent is lost, and a club that owes is to be paid nothing', () =>
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(1_000_000), (payable, reserved) => {
      const { toPay, owes, heldBack } = position(payable, reserved);
      expect(toPay + heldBack - owes).toBe(payable + reserved);
      expect(Math.min(toPay, heldBack, owes)).toBeGreaterThanOrEqual(0);
      if (owes > 0) expect([toPay, heldBack]).toEqual([0, 0]);
    }),
  ));
