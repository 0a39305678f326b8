/** The sentence beside the choice of an account to debit; its link leads to the tenant's terms. */
export const directDebitSentence = {
  words:
    "Round-up totals are debited every Monday, Wednesday and Friday. By selecting an account you agree to the payment provider's",
  link: 'direct-debit terms',
};
