export const RECEIPT_TYPE = "ralph.receipt";
export const RECEIPT_VERSION = 2;
/** The format before proof levels, which can still be read. */
export const EARLIER_VERSION = 1;
