/** After this long a test hangs, however busy the machine is. Nothing that passes depends on it. */
export const HANG_MS = 900_000;

/**
 * For polling what comes in its own time: an answer that does not come is reported before its test times out. Shorter
 * than the 300 seconds that the processes live which agents leave behind in these tests.
 */
export const PATIENT = { timeout: 180_000, interval: 20 };

/** For tests that go through many kills one after the other. */
export const LONG = { timeout: 4 * HANG_MS };
