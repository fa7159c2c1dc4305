// What a browser remembers of the page, if it may.

/** Returns what was remembered under a name, or `otherwise` if nothing was or it cannot be read. */
export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`tidemark.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Remembers a value under a name; where storage is forbidden, only until the page is closed. */
export function remember(name, value) {
  try {
    localStorage.setItem(`tidemark.${name}`, JSON.stringify(value));
  } catch {
    // storage is full or forbidden
  }
}
