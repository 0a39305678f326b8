/** Weekly limits to choose from, in cents; 0 is off. */
export const weeklyLimits = [0, 750, 1000, 1250] as const;
export type WeeklyLimit = (typeof weeklyLimits)[number];
