/** After this long a test hangs, however busy the machine is. No passing test depends on it. */
export const HANG_MS = 900_000;

/**
 * For polling: a missing result is reported before its test times out. Shorter than the 300 seconds that processes
 * left behind by agents live in these tests.
 */
export const PATIENT = { timeout: 180_000, interval: 20 };

/** For tests with many kills one after the other. */
export const LONG = { timeout: 4 * HANG_MS };
