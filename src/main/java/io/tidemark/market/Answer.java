package io.tidemark.market;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a market answered to one query.
 *
 * @param digest SHA-256 of the body, hexadecimal: equal bodies, equal digests
 * @param sentAt when the question left, by our clock
 * @param receivedAt when the whole answer was there, by our clock
 * @param asOf the service's own time of what it shows (Date - Age, or of the body), null where it cannot be known
 * @param maxAge how long the service says the answer keeps, null where it says nothing
 * @param requestId the service's own name of this answer ({@code x-request-id}), null where it gave none
 */
public record Answer<A>(Query<A> query, Body<A> body, String digest, Instant sentAt, Instant receivedAt,
    @Nullable Instant asOf, @Nullable Duration maxAge, @Nullable String requestId) {}
