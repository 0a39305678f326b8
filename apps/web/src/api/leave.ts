/** Goes to an address outside the app. Its own module, because a test cannot follow. */
export const leaveFor = (url: string | URL): void => location.assign(url);
