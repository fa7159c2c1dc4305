// Sets the theme that was chosen before the first paint; without a choice, the system's stands.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('tidemark.theme');
  } catch {
    // storage is forbidden: the system's theme stands
  }
  if (theme === 'dark' || theme === 'light') {
    document.documentElement.dataset.theme = theme;
  }
})();
