// A game in progress: kept in the address (so that it survives a reload and can be sent) and in this browser.

const encode = (state) => {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const decode = (text) => {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
};

const isState = (state) => state !== null && typeof state === "object" && !Array.isArray(state);

/** The state of a game's page: from the address, else from this browser, else `initial`. */
export function load(game, initial) {
  for (const read of [() => decode(location.hash.slice(1)), () => JSON.parse(localStorage.getItem(`exactplay ${game}`))]) {
    try {
      const state = read();
      if (isState(state)) return { ...initial, ...state };
    } catch {
      // No state there, or a damaged one: the next place is tried.
    }
  }
  return { ...initial };
}

/** Keep the state; the page calls this after every step. */
export function save(game, state) {
  history.replaceState(null, "", `#${encode(state)}`);
  try {
    localStorage.setItem(`exactplay ${game}`, JSON.stringify(state));
  } catch {
    // Storage may be full or forbidden; the address holds the game as well.
  }
}

/** Call `listener(state)` when another state is put into the address, by a link or by hand. */
export function onAddress(listener) {
  addEventListener("hashchange", () => {
    try {
      const state = decode(location.hash.slice(1));
      if (isState(state)) listener(state);
    } catch {
      // An address that holds no game changes nothing.
    }
  });
}

/** Send the link of the present state, or copy it; returns what has been done, as a sentence. */
export async function share(game, state) {
  const link = `${location.origin}${location.pathname}#${encode(state)}`;
  if (navigator.share) {
    await navigator.share({ title: document.title, url: link });
    return "The link has been handed on.";
  }
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(link);
    return "The link has been copied.";
  }
  return link; // pages that are not from this machine may not touch the clipboard
}

/** Save data as a file on this machine. */
export function download(name, data, type = "application/json") {
  const text = typeof data === "string" ? data : JSON.stringify(data, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
