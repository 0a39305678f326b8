/** Reads over a bucket that are sent often, or that take long, as help names them. */
export const explainedReads = {
  'plan-debits': 'who is debited next, how much, and why others are not',
  'submit-debits': 'a page of planned debits',
  dashboard: "a supporter's record",
  history: "a supporter's history",
};
