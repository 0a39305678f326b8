import { isAbn } from './abn.ts';

/** Masks each digit and letter of a number but the last four; what stands between them stays. */
function masked(number: string): string {
  let left = number.replace(/[^\p{L}\d]/gu, '').length - 4;
  return number.replace(/[\p{L}\d]/gu, (sign) => {
    left -= 1;
    return left >= 0 ? 'X' : sign;
  });
}

/** A country, two check digits, and 11 to 30 letters and digits, in groups of four or none. */
const ibanLike = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?(?![\p{L}\d])/gu;

/** Returns whether an IBAN's check digits hold (ISO 13616). */
function isIban(written: string): boolean {
  const compact = written.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  const signs = [...`${compact.slice(4)}${compact.slice(0, 4)}`];
  return signs.reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0) === 1;
}

/** Digits after the words that banks put before an account, glued to them or not: A/C12345678, ACC: 1234 5678. */
const named =
  /(?<!\p{L})((?:a\/c|acct?|ac|account|bsb)(?: ?(?:no|nr|number))?[.:#/-]? ?)(\d(?:[ -]?\d){4,15})(?!\d)/giu;

/** Likewise after those before a tax file number, a Medicare card, a telephone or a payment card, in groups of any length. */
const namedOfPeople =
  /(?<!\p{L})((?:tfn|tax file|medicare(?: card)?|ph|phone|tel|telephone|mob|mobile|fax|sms)(?: ?(?:no|nr|number))?[.:#/-]{0,2} ?)([+(]{0,2}\d(?:[ )-]{0,2}\d){5,14})(?!\d)/giu;
const namedCard =
  /(?<!\p{L})((?:card|visa|mastercard|amex|diners)(?: ?(?:no|nr|number))?[.:#/-]{0,2} ?)(\d(?:[ -]?\d){11,18})(?!\d)/giu;

/** A BSB and the account behind it, also glued to a letter: N062000-12345678. */
const bsbAndAccount = /(?<!\d)\d{3}-?\d{3}[-/]\d{5,10}(?!\d)/gu;

/** Numbers in groups that only they have, over blanks or hyphens, and not before the cents of an amount. */
const grouped: readonly RegExp[] = [
  // A payment card has 13 to 19 digits, in fours or as American Express and Diners write them.
  /(?<![\p{L}\d$])\d{4}(?:[ -]\d{4}){3}(?:[ -]\d{1,3})?(?!\d|[.,]\d)/gu,
  /(?<![\p{L}\d$])\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,3}(?!\d|[.,]\d)/gu,
  /(?<![\p{L}\d$])\d{4}[ -]\d{6}[ -]\d{4,5}(?!\d|[.,]\d)/gu,
  // A Medicare card, with the place of its holder or without.
  /(?<![\p{L}\d$])[2-6]\d{3}[ -]\d{5}[ -]\d(?:[ /-]\d)?(?!\d|[.,]\d)/gu,
  // Telephones: with the code of a country, of Australia without a plus, mobiles, areas, and numbers charged to who is called.
  /(?<![\p{L}\d])\+\d{1,3}(?:[ -]?\(?\d{1,5}\)?){2,5}(?!\d|[.,]\d)/gu,
  /(?<![\p{L}\d$])(?:00)?61[ -]?[23478](?:[ -]?\d){8}(?!\d|[.,]\d)/gu,
  /(?<![\p{L}\d$])\(?0[ -]?[23478]\)?(?:[ -]?\d){8}(?!\d|[.,]\d)/gu,
  /(?<![\p{L}\d$])1[38]00[ -]?\d{3}[ -]?\d{3}(?!\d|[.,]\d)/gu,
  // A tax file number.
  /(?<![\p{L}\d$])\d{3}[ -]\d{3}[ -]\d{3}(?!\d|[.,]\d)/gu,
];

/** Digits that stand alone, with what joins them to one number, day, time or amount. */
const alone = /(?<![\p{L}\d]|\d[.,:/-])\d+(?:[.,:/-]\d+)*(?![\p{L}\d]|[.,:/-]\d)/gu;

const day =
  /^(?:(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|1[0-2])\2(?:19|20)?\d\d)$/;
const time = /^\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?$/;
const amount = /^(?:\d{1,3}(?:,\d{3})+(?:\.\d{1,5})?|\d+[.,]\d{1,2})$/;

const leastDigits = 6;

const isFigure = (number: string): boolean => [day, time, amount].some((pattern) => pattern.test(number));
const maskLong = (number: string): string =>
  number.replace(/\D/g, '').length >= leastDigits ? masked(number) : number;

/** Days over blanks, ABNs, which are public, and references of ours, as banks break them. */
const kept =
  /(?<![\p{L}\d])(?:(?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2]) (?:19|20)\d\d|\d\d \d{3} \d{3} \d{3}|(?:RU|CL|SV|RF)[\dA-F](?: ?[\dA-F]){15})(?![\p{L}\d])/gu;
const isKept = (part: string): boolean => !/^\d\d \d{3} /.test(part) || isAbn(part);

/** Replaces what stands between the parts of a text that some test holds for. */
function between(text: string, pattern: RegExp, isPart: (part: string) => boolean, replace: (text: string) => string) {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: part, index } of text.matchAll(pattern)) {
    if (!isPart(part)) continue;
    pieces.push(replace(text.slice(end, index)), part);
    end = index + part.length;
  }
  return [...pieces, replace(text.slice(end))].join('');
}

const maskNumbers = (text: string): string =>
  [namedOfPeople, namedCard, named]
    .reduce(
      (left, pattern) => left.replace(pattern, (_, word: string, number: string) => `${word}${masked(number)}`),
      text,
    )
    .replace(bsbAndAccount, masked);

const maskOnce = (text: string): string =>
  between(
    text.replace(ibanLike, (number) => (isIban(number) ? masked(number) : number)),
    kept,
    isKept,
    (rest) =>
      between(rest, alone, isFigure, (numbers) =>
        grouped
          .reduce((left, pattern) => left.replace(pattern, maskLong), maskNumbers(numbers))
          .replace(alone, maskLong),
      ),
  );

/** Masking one number can leave text that looks like another: rounds end when nothing changes. */
const maxPasses = 4;

/**
 * Masks numbers of accounts, cards and people in a line of a bank, keeping the last four digits: tax file numbers, Medicare cards
 * and telephones, too. Days, times and amounts stay, ABNs, and words of letters and digits, as references are. Twice does what
 * once does.
 */
export function withoutAccountNumbers(text: string): string {
  let left = text;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = maskOnce(left);
    if (next === left) break;
    left = next;
  }
  return left;
}
