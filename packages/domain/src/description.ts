const upToDate = /^[\s\S]*?\d{2}\/\d{2} /;

/** Drops everything through the first "dd/dd ", unless nothing remains. */
function withoutStatementPrefix(description: string): string {
  const rest = description.replace(upToDate, '').trim();
  return rest === '' ? description.trim() : rest;
}

/** Names a purchase without statement prefix, cut to 50 characters. */
export function historyDescription(description: string): string {
  const text = withoutStatementPrefix(description);
  const letters = Array.from(text);
  return letters.length <= 50 ? text : `${letters.slice(0, 50).join('')}...`;
}

/** Shown for a line on which the bank wrote nothing that can be seen: a button or a row needs a name. */
export const noDescription = 'No description';

/** Returns a line's text, or words saying there is none. */
export const described = (text: string): string =>
  /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : noDescription;

/** The text by which two statement lines are the same purchase: case, spacing and the prefix do not count (docs/rules.md#one-purchase-one-round-up). */
export function cleanedText(description: string): string {
  return withoutStatementPrefix(description).normalize('NFKC').toUpperCase().replace(/\s+/g, ' ').trim();
}

const kindOfLine =
  /^(?:(?:REFUND|REVERSAL|REV|RETURN|CREDIT|PURCHASE|VISA|MASTERCARD|DEBIT|EFTPOS|POS)\b[ :-]*|CARD (?:X*\d{4}\b ?)?)+/;
const cardAtTheEnd = /(?: CARD X*\d{4})?(?: VALUE DATE: \d{2}\/\d{2}\/\d{4})?$/;

/** The text by which a purchase and its refund name the same merchant: the cleaned text without the words for the kind of line and the card. */
export function merchantText(description: string): string {
  const text = cleanedText(description);
  const merchant = text.replace(kindOfLine, '').replace(cardAtTheEnd, '').trim();
  return merchant === '' ? text : merchant;
}

const timeOfDay = /^\d{1,2}:\d{2} /;
/** Companies that take cards for others, and put themselves before the merchant. */
const facilitator = /^(?:SQ|PAYPAL|PP|TST|ZLR|SMP|EZI|LSP|SP|SUMUP|STRIPE) ?\*\s*/;
const place = /(?: (?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT))?(?: (?:VI )?(?:AUS?|AUSTRALIA))?$/;
const terminal = /(?<!\S)#?\d{3,}(?!\S)/g;

/** The text without what only machines use: the time of day, the terminal's number, state and country. */
export const withoutTerminal = (text: string): string =>
  text.replace(timeOfDay, '').replace(terminal, ' ').replace(/\s+/g, ' ').trim().replace(place, '').trim();

/** Names the merchant of a line for people: without card, terminal, facilitator and country, and not in capitals. */
export function merchantName(description: string): string {
  const words = withoutTerminal(merchantText(description).replace(timeOfDay, '').replace(facilitator, ''));
  return words === '' ? historyDescription(description) : historyDescription(words.split(' ').map(readable).join(' '));
}

/** "BAKERY" as "Bakery"; what has no vowel, such as "KFC" or "BP", stays. */
const readable = (word: string): string =>
  /[AEIOUY]/.test(word)
    ? word
        .toLowerCase()
        .replace(/(^|[-/&(.])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    : word;
