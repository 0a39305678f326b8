export const roundUpSteps = [100, 200, 500] as const;

/** To the nearest $1, $2 or $5, in cents. */
export type RoundUpStep = (typeof roundUpSteps)[number];
