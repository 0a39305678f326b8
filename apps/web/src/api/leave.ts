/** Leaves the app; a separate module so that tests can replace it. */
export const leaveFor = (url: string | URL): void => location.assign(url);
