/** The application's Zepto account and its float account for collections. */
export const merchant = {
  accountId: '4e2728cc-b4ba-42c2-a6c3-26a7758de58d',
  bankAccountId: '83623359-e86e-440c-9780-432a3bc3626f',
  branchCode: '802919',
  accountNumber: '1748212',
} as const;
