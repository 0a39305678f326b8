/** Makes a part of an address from a name: "Bush League" is `bush-league`, "Café Élan" `cafe-elan`. */
export const addressPartOf = (name: string, maxLength: number): string =>
  name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '');
