/** Returns text as it stands in HTML, in attributes as well. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
