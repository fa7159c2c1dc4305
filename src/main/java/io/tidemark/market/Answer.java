package io.tidemark.market;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a market to one query.
 *
 * @param digest SHA-256 of the body, hexadecimal
 * @param sentAt when the request was sent, by the clock of Tidemark
 * @param receivedAt when the whole answer had arrived, by the same clock
 * @param asOf the service's own time of the answer (Date - Age, or of the body); null where it is not known
 * @param maxAge how long the answer is fresh by its Cache-Control; null where it has none
 * @param requestId the service's id of the answer ({@code x-request-id}); null where it has none
 */
public record Answer<A>(Query<A> query, Body<A> body, String digest, Instant sentAt, Instant receivedAt,
    @Nullable Instant asOf, @Nullable Duration maxAge, @Nullable String requestId) {}
