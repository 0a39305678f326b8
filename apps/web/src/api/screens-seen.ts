/** The screens of this visit, kept until analytics has loaded and can count them. */
let seen: string[] = [];
let report: ((screen: string) => void) | undefined;

/** Returns the screen alone, as paths may contain e-mail addresses. */
export const screenOf = (path: string): string => `/${path.split('/')[1] ?? ''}`;

export function screenSeen(path: string): void {
  if (report) report(screenOf(path));
  else seen.push(screenOf(path));
}

export function reportScreens(to: (screen: string) => void): void {
  report = to;
  for (const screen of seen) to(screen);
  seen = [];
}
