/** What the screens say where an account is chosen to be debited; the link leads to the terms of the tenant. */
export const directDebitSentence = {
  words:
    "Round-up totals are debited every Monday, Wednesday and Friday. By selecting an account you agree to the payment provider's",
  link: 'direct-debit terms',
};
