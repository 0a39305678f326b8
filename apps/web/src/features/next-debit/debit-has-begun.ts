export const debitHasBegun = 'This debit has begun, so it can no longer be changed.';
