// What a browser remembers of the page; where it may not, what the open page remembers.

const unstored = new Map();

/** Returns what was remembered under a name, or `otherwise` if nothing was or it cannot be read. */
export function recall(name, otherwise) {
  try {
    return unstored.get(name) ?? JSON.parse(localStorage.getItem(`tidemark.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Remembers a value under a name; where storage is full or forbidden, until the page is closed. */
export function remember(name, value) {
  try {
    localStorage.setItem(`tidemark.${name}`, JSON.stringify(value));
    unstored.delete(name);
  } catch {
    unstored.set(name, value);
  }
}
