/** Stands out from its sentence; a long one is broken after the @ first. */
export function EmailAddress({ address }: { address: string }) {
  const domain = address.lastIndexOf('@') + 1;
  return (
    <strong>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </strong>
  );
}
