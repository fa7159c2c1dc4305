package io.tidemark.poll;

import io.tidemark.market.Target;

/** A target whose turn it is, and the row that put it forward. */
record DueTarget(Target target, ScheduleRow row) {}
