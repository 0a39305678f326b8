/** Writes the line of HTML that frames a club's widget: each widget fits its height, and it fits into a narrower column. */
export const widgetFrame = (widget: string): string =>
  `<iframe src="${widget}" title="Support our club" width="320" height="320" style="border:0;max-width:100%" loading="lazy"></iframe>`;
