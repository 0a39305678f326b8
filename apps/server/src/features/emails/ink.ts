import { contrast } from '@sparechange/domain/contrast';

/** Returns white or black, the more readable on colour `#rrggbb`. */
export const inkOn = (colour: string): string =>
  contrast('#000000', colour) > contrast('#ffffff', colour) ? '#000000' : '#ffffff';
