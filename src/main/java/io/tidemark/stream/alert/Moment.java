package io.tidemark.stream.alert;

import java.time.Instant;

/** A time, and what the {@link GapFreeClock} showed at it. */
record Moment(Instant time, long shown) {}
