/**
 * Keeps the styles of xterm.js within the policy of the page: its style elements carry the nonce, and the style attributes of
 * its characters are set as properties, which the policy allows. Its option `documentOverride` would be the place for this, but
 * version 6.0.0 creates half of its elements with the page's own document all the same.
 */

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

/** While a terminal is on the page. Returns the way to end it. */
export function keepStylesWithinPolicy(nonce: string): () => void {
  const create = document.createElement;
  document.createElement = (tag: string, options?: ElementCreationOptions) => {
    const element = create.call(document, tag, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    if (element instanceof HTMLSpanElement) element.setAttribute = setAttribute;
    return element;
  };
  return () => {
    document.createElement = create;
  };
}
