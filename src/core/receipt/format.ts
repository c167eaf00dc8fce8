export const RECEIPT_TYPE = "ralph.receipt";
export const RECEIPT_VERSION = 2;
/** Before there were levels of proof: still read. */
export const EARLIER_VERSION = 1;
