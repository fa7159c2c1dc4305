/**
 * End-to-end tests of the event log, and their fixtures: a check that compares an event log with the bodies that a
 * simulated market served, and runs of the program with faults, failover and upgrades.
 */
@NullMarked
package io.tidemark.eventlog;

import org.jspecify.annotations.NullMarked;
