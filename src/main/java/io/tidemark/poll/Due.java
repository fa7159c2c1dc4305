package io.tidemark.poll;

import io.tidemark.market.Target;

/** A target whose turn it is, and the row that put it forward. */
record Due(Target target, Row row) {}
