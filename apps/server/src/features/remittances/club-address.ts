/**
 * The address a payment provider is given for a club, which has none with us: the operator's own, told apart by club.
 */
export function clubAddress(mailFrom: string, clubId: string): string {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim();
  return address.replace('@', `+${clubId.slice(0, 8)}@`);
}
