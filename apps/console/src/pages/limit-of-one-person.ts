/** Says from what amount on another person has to agree. */
export const limitOfOnePerson = (each: string) =>
  `More than $50 for one ${each} takes a second person, where two are needed.`;
