/** For this many days after a club's contact changed, the former one confirms other bank details of the club. */
export const formerContactDays = 30;
