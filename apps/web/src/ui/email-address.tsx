/** Emphasised in its sentence; long addresses break after the @ first. */
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
