// Storage that may be closed to the page, which is no reason to fail.

/** Return what was kept under `key`, or null. */
export function recall(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Keep `value` under `key`; null forgets it. */
export function keep(storage, key, value) {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, value);
  } catch {
    // Nothing can be kept: the page works, it only forgets sooner.
  }
}
