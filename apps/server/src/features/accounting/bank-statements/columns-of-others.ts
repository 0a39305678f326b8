/** Kinds of columns that tell whether a row is a booked movement in dollars on the account. */
export type ColumnKind = 'currency' | 'state' | 'not booked' | 'booked' | 'bsb' | 'account' | 'account name' | 'words';

/** A column about the other side of a movement, or its state before it came to this account. */
const ofOthers = new Set([
  ...[
    'from',
    'to',
    'other',
    'payee',
    'payer',
    'beneficiary',
    'recipient',
    'sender',
    'creditor',
    'debtor',
    'destination',
  ],
  ...[
    'source',
    'opposing',
    'contra',
    'remitter',
    'merchant',
    'their',
    'third',
    'linked',
    'transfer',
    'offset',
    'segment',
  ],
  ...['counterparty', 'counterpart', 'counter', 'party', 'original', 'foreign', 'instructed', 'payees', 'payers'],
]);

/** Words for columns of figures and days, of any subject. */
const figures = new Set([
  ...['amount', 'total', 'subtotal', 'rate', 'fee', 'fees', 'value', 'balance', 'limit', 'count'],
  ...['date', 'day', 'time', 'on', 'at', 'by', 'opened', 'closed', 'converted', 'exchange'],
]);

/** States of other things than the movement. */
const statesOfOthers =
  /^gst$|match|reconcil|tax|export|review|approv|merchant|address|card|account|mail|sync|import|invoice|receipt|customer|member/;

const notBookedNames = new Set([
  ...['pending', 'cancelled', 'canceled', 'declined', 'reversed', 'void', 'voided', 'failed', 'rejected', 'deleted'],
  ...['unposted', 'uncleared', 'unsettled', 'unbooked', 'hold', 'onhold', 'held', 'scheduled', 'expired'],
]);
const bookedNames = new Set([
  ...['booked', 'posted', 'cleared', 'settled', 'finalised', 'finalized', 'completed', 'complete'],
]);
/** Words that add nothing to a yes/no column's name. */
const flagWords = new Set(['is', 'was', 'has', 'flag', 'yn', 'y', 'n', 'yes', 'no', 'indicator', 'transaction', 'txn']);

/** Words for accounts of a chart of accounts. */
const codeWords = new Set(['code', 'gl', 'ledger', 'chart', 'category', 'accounting']);
const nameWords = new Set(['name', 'nickname', 'title', 'label', 'alias', 'type', 'holder', 'owner', 'product']);
const accountWords = new Set(['acc', 'acct', 'acno', 'accno', 'acctno', 'iban', 'pan']);

/** Returns the kind of a column by its lower-case name; undefined for any other column. */
export function kindOf(column: string): ColumnKind | undefined {
  const written = column.replaceAll('a/c', 'acct');
  const words = written.split(/[^\p{L}]+/u).filter(Boolean);
  const glued = words.join('');
  const flag = words.filter((word) => !flagWords.has(word)).join('');
  if (notBookedNames.has(flag)) return 'not booked';
  if (bookedNames.has(flag)) return 'booked';
  if (words.some((word) => figures.has(word))) return undefined;
  if (/currency|ccy/.test(glued) || words.includes('curr')) return 'currency';
  const isState = words.includes('state') || (/state$/.test(glued) && !/(?:e|inter)state$/.test(glued));
  if (isState || /status/.test(glued) || words.includes('sts'))
    return words.some((word) => statesOfOthers.test(word)) ? 'words' : 'state';
  if (words.some((word) => ofOthers.has(word) || codeWords.has(word))) return 'words';
  if (words.includes('bsb') || glued === 'branch') return 'bsb';
  if (/account|acct/.test(glued) || words.some((word) => accountWords.has(word)))
    return words.some((word) => nameWords.has(word)) || /name$/.test(glued) ? 'account name' : 'account';
  return 'words';
}

/** Returns whether a column is about the other side, or a movement before its conversion. */
export const isOfOthers = (column: string): boolean => column.split(/[^\p{L}]+/u).some((word) => ofOthers.has(word));
