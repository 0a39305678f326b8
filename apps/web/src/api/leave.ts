/** Leaves the app; a module of its own, for tests. */
export const leaveFor = (url: string | URL): void => location.assign(url);
