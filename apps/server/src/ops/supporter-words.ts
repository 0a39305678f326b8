/** For a command's help: the ways to name one supporter. */
export const supporterWords = 'by e-mail address, mobile number, id, or the reference on a bank statement';
