export interface Failure {
  code: string;
  title: string;
  detail: string;
}

export const returnCodes = [1, 2, 3, 4, 5, 6, 8, 9] as const;

const titles: Record<string, [title: string, detail: string]> = {
  1: ['Invalid BSB Number', 'The BSB is not valid or is no longer active.'],
  2: ['Payment Stopped', 'The target institution has blocked transactions to this account. Please refer to customer.'],
  3: ['Account Closed', 'The target account is closed.'],
  4: ['Customer Deceased', "The target account's owner has been listed as deceased."],
  5: ['Account Not Found', 'The target account number cannot be found by the financial institution.'],
  6: [
    'Refer to Customer',
    'Usually means insufficient funds or that the target account has breached their transaction limits.',
  ],
  8: ['Invalid UserID', 'Please contact Zepto for further information.'],
  9: [
    'Technically Invalid',
    'Usually means that the account is not debitable or that the reason for failure can not be categorised within the standard BECS return codes. Please refer to customer.',
  ],
  51: ['Voided By Initiator', 'The transaction was voided by its initiator.'],
};

export const debitFailureCode = (code: number): string => `E${200 + code}`;
export const creditFailureCode = (code: number): string => `E${100 + code}`;

export function describeFailure(code: string): Failure {
  const [title, detail] = titles[String(Number(code.slice(2)))] ?? [
    'Unknown DE Error',
    'An unknown DE error occurred. Please contact Zepto for assistance.',
  ];
  return { code, title, detail };
}

/** Unknown branches are rejected; every other reason is a return. */
export const statusOfReturn = (code: number): 'rejected' | 'returned' => (code === 1 ? 'rejected' : 'returned');
