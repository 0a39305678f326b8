import { contrast } from '@sparechange/domain/contrast';

/** White or black, whichever is easier to read on that colour `#rrggbb`. */
export const inkOn = (colour: string): string =>
  contrast('#000000', colour) > contrast('#ffffff', colour) ? '#000000' : '#ffffff';
