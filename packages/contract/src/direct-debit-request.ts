/** The sentence beside the account choice, linking the tenant's terms. */
export const directDebitSentence = {
  words:
    "Round-up totals are debited every Monday, Wednesday and Friday. By selecting an account you agree to the payment provider's",
  link: 'direct-debit terms',
};
