// What this package offers.
