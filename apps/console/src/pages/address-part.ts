/** Makes a part of an address from a name: "Bush League" is `bush-league`. */
export const addressPartOf = (name: string, maxLength: number): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, maxLength);
