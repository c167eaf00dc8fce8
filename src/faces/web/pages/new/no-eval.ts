import { config } from "zod";

// zod would compile its schemas with `new Function`, which the page's policy forbids and the browser would report.
config({ jitless: true });
