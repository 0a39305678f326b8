/** The share of a colour's light that reaches the eye (WCAG 2.2, relative luminance). */
function luminance(colour: string): number {
  const part = (at: number): number => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

/** White or black, whichever is easier to read on that colour `#rrggbb`. */
export const inkOn = (colour: string): string => (luminance(colour) > 0.179 ? '#000000' : '#ffffff');
