export type DescriptionStyle = 'leading date' | 'value date' | 'no date';

/** An invented bank with habits that real ones have. */
export interface Bank {
  id: string;
  name: string;
  /** First three digits of its BSBs: institution and state. */
  bsbPrefix: string;
  style: DescriptionStyle;
  showsPending: boolean;
  /** The bank's midnight in UTC, or the date alone. */
  postDate: 'sydney midnight' | 'utc midnight';
  transactionDate: 'purchase' | 'empty';
  directDebit: (creditor: string, reference: string) => string;
}

export const banks: readonly [Bank, Bank, Bank] = [
  {
    id: 'AU00000',
    name: 'Hooli',
    bsbPrefix: '602',
    style: 'leading date',
    showsPending: true,
    postDate: 'sydney midnight',
    transactionDate: 'purchase',
    directDebit: (creditor, reference) => `DIRECT DEBIT ${creditor} ${reference}`,
  },
  {
    id: 'AU00101',
    name: 'Harbour Bank',
    bsbPrefix: '752',
    style: 'value date',
    showsPending: true,
    postDate: 'sydney midnight',
    transactionDate: 'empty',
    directDebit: (creditor, reference) => `Direct Debit 481203 ${creditor} ${reference}`,
  },
  {
    id: 'AU00202',
    name: 'Outback Mutual',
    bsbPrefix: '914',
    style: 'no date',
    showsPending: false,
    postDate: 'utc midnight',
    transactionDate: 'empty',
    directDebit: (creditor, reference) => `${creditor} ${reference}`,
  },
];

export const findBank = (id: string): Bank | undefined => banks.find((bank) => bank.id === id);

export function getBank(id: string): Bank {
  const bank = findBank(id);
  if (bank === undefined) throw new Error(`There is no bank ${id}.`);
  return bank;
}
