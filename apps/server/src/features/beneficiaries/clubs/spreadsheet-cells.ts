import { ClubAccountNumber } from '@sparechange/contract/console';
import { writtenDay } from '@sparechange/contract/day';
import { inIsoOrder, isSerialDay } from '@sparechange/domain';
import { z } from 'zod';

/** A number that a spreadsheet wrote as a power of ten, such as 2.28036E+10. */
const powerOfTen = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;

/**
 * Returns the digits of a number in groups, or as a power of ten with all of them; a number that lost some is
 * unchanged.
 */
function digitsIn(written: string): string {
  const [, first = '', rest = '', power = ''] = powerOfTen.exec(written) ?? [];
  if (first && rest.length === Number(power)) return first + rest;
  return written.replace(/(?<=\d)[ \u00a0\u202f](?=\d)/g, '');
}

const asText = 'format the column as text in the spreadsheet, and enter the number again from its source';

const shortened = (written: string): string | undefined =>
  powerOfTen.test(written) ? `a spreadsheet has shortened the number to ${written}: ${asText}` : undefined;

const refusing = (written: string, isRight: boolean, otherwise: string): string | undefined =>
  isRight ? undefined : (shortened(written) ?? otherwise);

/**
 * Reads a cell by `read`, and refuses it with the message of `problemOf`, which gets the parsed and the written value.
 */
const cell = (read: (written: string) => string, problemOf: (value: string, written: string) => string | undefined) =>
  z
    .string()
    .check(({ value: written, issues }) => {
      const message = problemOf(read(written), written);
      if (message) issues.push({ code: 'custom', message, input: written });
    })
    .transform(read);

/** Reads a number of digits that is checked elsewhere; one that has lost some is refused. */
export const digitsCell = cell(digitsIn, shortened);

/** A BSB of five digits is not completed: the account numbers beside it may have lost a zero too, unnoticed. */
export const bsbCell = cell(
  (written) => digitsIn(written).replace(/^(\d{3})-(\d{3})$/, '$1$2'),
  (bsb) =>
    refusing(
      bsb,
      /^\d{6}$/.test(bsb),
      /^\d{3,5}$/.test(bsb)
        ? `${bsb} has ${bsb.length} digits, where a spreadsheet drops a zero at the front: ${asText}, and the account numbers as well`
        : 'a BSB has six digits, such as 062-000',
    ),
);

export const accountNumberCell = cell(digitsIn, (number) => {
  const { success, error } = ClubAccountNumber.safeParse(number);
  return refusing(number, success, error?.issues[0]?.message ?? '');
});

/** Reads a day in local notation, 2020-07-01 or 01/07/2020, the day first; a number may count from 1900 or from 1904. */
export const dayCell = cell(inIsoOrder, (day, written) =>
  writtenDay.safeParse(day).success && !isSerialDay(written)
    ? undefined
    : `${written} is not a day from 1900 on, such as 2020-07-01 or 01/07/2020`,
);
