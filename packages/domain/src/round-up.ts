export const roundUpSteps = [100, 200, 500] as const;

/** The amount that a purchase is rounded up to a multiple of: $1, $2 or $5, in cents. */
export type RoundUpStep = (typeof roundUpSteps)[number];
