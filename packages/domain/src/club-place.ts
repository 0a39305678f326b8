/** Names a club's suburb and sport in one line, as in "Tidewater Bay · Surf life saving"; '' if it has neither. */
export const clubPlace = ({ suburb, sport }: { suburb: string | null; sport: string | null }): string =>
  [suburb, sport].filter((part) => part !== null).join(' · ');
