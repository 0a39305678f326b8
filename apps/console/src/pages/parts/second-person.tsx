export const secondPersonTitle = 'A second person has to agree';

/** Says that the roles owner and finance take effect once somebody else has agreed. */
export const RoleWaits = () => (
  <p>
    Owners and finance move money, so somebody else has to agree to this role within seven days. They find it on Today.
    Until then nothing changes, and an invitation is not mailed.
  </p>
);
