/** For this many days after a club's contact changed, the former one confirms new bank details of the club. */
export const formerContactDays = 30;
